import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createIdentify, type Identification, toleratingUnusable } from '../access/identify.ts'
import { findCurrent } from '../access/principals.ts'
import type { Context } from '../context.ts'
import { noOrganizer } from '../core/ids.ts'
import { type Principal, unknownClient } from '../core/principal.ts'
import { createNetworkReader } from '../http/request/client.ts'
import { connectIdentity, type Identity } from '../organizers/identities.ts'
import { failWith, type Pages } from '../pages/page.ts'
import { openWriteScope } from '../scope.ts'
import { signInWithIdentity } from '../sign-in/sign-in-with-identity.ts'
import { createIdentityProvider } from './identity-provider.ts'
import { beginLogin, derive, expiredLoginCookie, type Login, readLogin } from './login.ts'
import { sendContinuePage, sendErrorPage } from './pages.ts'
import { describeCauses, SignInError } from './sign-in-error.ts'

/**
 * Callbacks in a process that wait for the identity provider: each causes requests to it, and anyone can send one. A
 * login has one at a time, and a network has a few, if `TRUSTED_PROXIES` identifies it.
 */
const maxPending = 16
const maxPendingOfNetwork = 4

/** Mounts the routes with which organizers sign in with an account of an identity provider, if one is configured. */
export function mountOidc(app: FastifyInstance, ctx: Context, pages: Pages, identification: Identification): void {
  const { oidc, publicUrl = '' } = ctx.config
  if (!oidc) return
  const provider = createIdentityProvider(oidc, `${publicUrl}/sign-in/oidc/callback`)
  const identify = toleratingUnusable(createIdentify(ctx, identification))
  const identifySender = async ({ raw }: FastifyRequest): Promise<Principal> => (await identify(raw, false)).principal
  const takePlace = createPlaces()
  const readNetwork = createNetworkReader(ctx.config.trustedProxies)
  const begin = async (reply: FastifyReply, connects: boolean): Promise<FastifyReply> => {
    const { login, cookie } = beginLogin(ctx.cookieKey, connects, ctx.clock())
    return redirect(reply, await provider.authorizationUrl(login), cookie)
  }

  const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!(error instanceof SignInError))
      return failWith((failure) => sendErrorPage(reply, pages, failure))(error, request, reply)
    const { reason, cause, status } = error
    if (cause !== undefined)
      app.log.warn({ reqId: request.id, reason, cause: describeCauses(error) }, 'sign-in with OpenID Connect failed')
    return sendErrorPage(reply.code(status), pages, error)
  }
  const get = (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): void => {
    // A HEAD request would use up the code of a callback.
    app.route({ method: 'GET', exposeHeadRoute: false, url: path, errorHandler: sendFailure, handler })
  }

  get('/sign-in/oidc', (_request, reply) => begin(reply, false))

  get('/sign-in/oidc/connect', async (request, reply) => {
    // Otherwise a page of another host of the same site, which sends the cookie as well, could begin this.
    if (!isFromOwnPage(request) || !isOrganizer(await identifySender(request))) throw new SignInError('NOT_SIGNED_IN')
    return begin(reply, true)
  })

  get('/sign-in/oidc/callback', async (request, reply) => {
    const query = new URLSearchParams(request.url.replace(/^[^?]*/, ''))
    const login = readLogin(request.raw, ctx.cookieKey, ctx.clock())
    // The login in the cookie may be that of another tab, which may still go on.
    if (!login || query.get('state') !== derive(login, 'state')) throw new SignInError('LOGIN_UNKNOWN')
    const principal = await identifySender(request)
    if (login.connects && !isOrganizer(principal) && !isFromOwnPage(request))
      // The browser came from another site, so it did not send the cookie of the session. When the page reloads itself,
      // it does.
      return sendContinuePage(reply, pages, {})
    using _place = takePlace(login, readNetwork(request.raw))
    void reply.header('set-cookie', expiredLoginCookie)
    if (login.connects && !isOrganizer(principal)) throw new SignInError('NOT_SIGNED_IN')
    const identity = await provider.identify(login, query)
    const cookies = await accept(ctx, request, { login, principal, identity })
    void reply.header('set-cookie', cookies)
    // Not a redirect, with which a browser that came from another site would not send the cookie of the session.
    return sendContinuePage(reply, pages, { url: `${pages.base}/me` })
  })
}

interface Callback {
  login: Login
  principal: Principal
  identity: Identity
}

/** Signs in or connects. @returns values of `Set-Cookie` @throws SignInError */
function accept(ctx: Context, request: FastifyRequest, { login, principal, identity }: Callback): Promise<string[]> {
  return ctx.database.transaction(async (db) => {
    const viewer = { audience: principal.audience, baseUrl: ctx.config.publicUrl ?? '', mediaKey: '' }
    const scope = openWriteScope(ctx, db, viewer, {
      requestId: request.id,
      principal,
      role: 'owner',
      headers: request.headers,
      idempotencyKey: undefined,
      client: unknownClient,
    })
    if (login.connects) {
      await findCurrent(db, principal, scope.now)
      if (!(await connectIdentity(scope, identity))) throw new SignInError('OF_ANOTHER')
    } else if (!(await signInWithIdentity(scope, identity))) throw new SignInError('NOT_CONNECTED')
    return scope.cookies
  })
}

const isOrganizer = ({ kind, organizer }: Principal): boolean => kind === 'session' && organizer !== noOrganizer

/** Browsers that send cookies of sessions with SameSite report this, too (https://www.w3.org/TR/fetch-metadata/). */
const isFromOwnPage = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-site'] === 'same-origin'

/** Creates a function that admits a callback until it is disposed of. It throws SignInError BUSY if there are too many. */
function createPlaces(): (login: Login, network: string) => Disposable {
  /** The network of each login that waits; '' if it is not known. */
  const pending = new Map<string, string>()
  const isFull = (network: string): boolean =>
    pending.size >= maxPending ||
    (network !== '' && [...pending.values()].filter((other) => other === network).length >= maxPendingOfNetwork)
  return ({ secret }, network) => {
    if (pending.has(secret) || isFull(network)) throw new SignInError('BUSY')
    pending.set(secret, network)
    return { [Symbol.dispose]: () => pending.delete(secret) }
  }
}

const redirect = (reply: FastifyReply, url: URL, cookie: string): FastifyReply =>
  reply
    .headers({ 'set-cookie': cookie, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(url.href, 303)
