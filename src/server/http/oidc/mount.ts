import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { revokeCredential } from '../../auth/credentials.ts'
import { createIdentify, type Identification, toleratingUnusable } from '../../auth/identify.ts'
import { findCurrent } from '../../auth/principals.ts'
import type { Context } from '../../context.ts'
import { noOrganizer } from '../../core/ids.ts'
import { type Principal, unknownClient } from '../../core/principal.ts'
import { connectIdentity, type Identity } from '../../domains/organizers/identities.ts'
import { signInWithIdentity } from '../../domains/sign-in/redeem-invitation.ts'
import { openWriteScope } from '../../scope.ts'
import { type AccountPages, nextIn, sendAccountPage } from '../pages/account/account-page.ts'
import { html } from '../pages/html.ts'
import { failWith, redirect } from '../pages/page.ts'
import { createNetworkReader } from '../request/client.ts'
import { assertOwnPage } from '../request/cross-origin.ts'
import { createIdentityProvider } from './identity-provider.ts'
import { beginLogin, derive, expiredLoginCookie, type Login, readLogin } from './login.ts'
import { describeCauses, SignInError } from './sign-in-error.ts'

/**
 * Callbacks in a process that wait for the identity provider: each causes requests to it, and anyone can send one. A
 * login has one at a time, and a network has a few, if it is known.
 */
const maxPending = 16
const maxPendingOfNetwork = 4

/** In the query of a callback that a page of ours has loaded again. */
const reloaded = 'reloaded'

/** Mounts the routes with which organizers sign in with an account of an identity provider, if one is configured. */
export function mountOidc(
  app: FastifyInstance,
  ctx: Context,
  pages: AccountPages,
  identification: Identification,
  signInUrl: string,
): void {
  const { oidc } = ctx.config
  if (!oidc) return
  const provider = createIdentityProvider(oidc, `${signInUrl}/sign-in/oidc/callback`)
  const identify = toleratingUnusable(createIdentify(ctx, identification))
  const identifySender = async ({ raw }: FastifyRequest): Promise<Principal> => (await identify(raw, false)).principal
  const acquire = createSemaphore()
  const readNetwork = createNetworkReader(ctx.config.trustedProxies)
  const begin = async (reply: FastifyReply, began: Omit<Login, 'secret'>): Promise<FastifyReply> => {
    const { login, cookie } = beginLogin(ctx.cookieKey, began, ctx.clock())
    const url = await provider.authorizationUrl(login)
    void reply.header('set-cookie', cookie)
    // Not a redirect: the policy of our pages keeps forms from leaving this origin.
    return sendContinuePage(reply, pages, url.href)
  }

  const sendFailure = (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> => {
    if (!(error instanceof SignInError))
      return failWith((failure) => sendErrorPage(reply, pages, failure))(error, request, reply)
    const { reason, cause, status } = error
    if (cause !== undefined)
      app.log.warn({ reqId: request.id, reason, cause: describeCauses(error) }, 'sign-in with OpenID Connect failed')
    return sendErrorPage(reply.code(status), pages, error)
  }
  const route = (
    method: 'GET' | 'POST',
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void => {
    // A HEAD request would use up the code of a callback.
    app.route({ method, exposeHeadRoute: false, url, errorHandler: sendFailure, handler })
  }

  // A sign-in or connection begins with a form on a page of ours. Others may link to it.
  route('GET', '/sign-in/oidc', async (_request, reply) => redirect(reply, `${pages.base}/sign-in`))

  route('POST', '/sign-in/oidc', async (request, reply) => {
    assertOwnPage(request.raw, ctx.config)
    const session = sessionOf(await identifySender(request))
    return begin(reply, { organizer: noOrganizer, session, next: nextIn(request) })
  })

  route('POST', '/sign-in/oidc/connect', async (request, reply) => {
    assertOwnPage(request.raw, ctx.config)
    const principal = await identifySender(request)
    if (!isOrganizer(principal)) throw new SignInError('NOT_SIGNED_IN')
    return begin(reply, { organizer: principal.organizer, session: sessionOf(principal), next: '/me' })
  })

  route('GET', '/sign-in/oidc/callback', async (request, reply) => {
    const query = new URLSearchParams(request.url.replace(/^[^?]*/, ''))
    const login = readLogin(request.raw, ctx.cookieKey, ctx.clock())
    // The login in the cookie may be that of another tab, which may still go on.
    if (!login || query.get('state') !== derive(login, 'state')) throw new SignInError('LOGIN_UNKNOWN')
    const principal = await identifySender(request)
    const connects = login.organizer !== noOrganizer
    if (sessionOf(principal) === 0 && !query.has(reloaded))
      // The browser came from another site, so it did not send the cookie of the session, which may have begun meanwhile.
      // When a page of ours loads this again, it does.
      return sendContinuePage(reply, pages, `?${query}&${reloaded}`)
    query.delete(reloaded)
    using _permit = acquire(login, readNetwork(request.raw))
    void reply.header('set-cookie', expiredLoginCookie)
    if (connects && !isOrganizer(principal)) throw new SignInError('NOT_SIGNED_IN')
    if (connects && principal.organizer !== login.organizer) throw new SignInError('SIGNED_IN_AS_ANOTHER')
    const identity = await provider.identify(login, query)
    const cookies = await accept(ctx, request, { login, principal, identity })
    void reply.header('set-cookie', cookies)
    // Not a redirect, with which a browser that came from another site would not send the cookie of the session.
    return sendContinuePage(reply, pages, pages.base + (login.next || '/console'))
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
    if (login.organizer === noOrganizer) {
      // The browser may have lost the cookie of this session meanwhile.
      if (login.session !== 0) await revokeCredential(scope, login.session)
      if (!(await signInWithIdentity(scope, identity))) throw new SignInError('NOT_CONNECTED')
      return scope.cookies
    }
    await findCurrent(db, principal, scope.now)
    const refusal = await connectIdentity(scope, identity)
    if (refusal) throw new SignInError(refusal)
    return scope.cookies
  })
}

const isOrganizer = ({ kind, organizer }: Principal): boolean => kind === 'session' && organizer !== noOrganizer

/** The id of the session of a sender; 0 for none. */
const sessionOf = ({ kind, credential }: Principal): number => (kind === 'session' ? credential : 0)

/** Bounds the callbacks at a time. The function that it creates throws SignInError BUSY if there are too many. */
function createSemaphore(): (login: Login, network: string) => Disposable {
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

/** The URLs of these pages, and those to which they lead, contain codes and what belongs to a login. */
const pageHeaders = { 'referrer-policy': 'no-referrer' }

/** Sends a page from which the browser goes on by itself, or its user does. */
const sendContinuePage = (reply: FastifyReply, pages: AccountPages, url: string): Promise<FastifyReply> =>
  sendAccountPage(reply, pages, {
    title: 'Sign in',
    extraHeaders: { ...pageHeaders, refresh: `0; url=${url}` },
    content: html`<p><a href="${url}">Continue</a></p>`,
  })

const sendErrorPage = (reply: FastifyReply, pages: AccountPages, { message }: Error): Promise<FastifyReply> =>
  sendAccountPage(reply, pages, {
    title: 'That did not work',
    extraHeaders: pageHeaders,
    content: html`<p class="notice bad" role="alert">${message}</p>
<p><a href="${pages.base}/sign-in">Sign in</a></p>`,
  })
