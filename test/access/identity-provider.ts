import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Provider, { type Context } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { certificate } from '../tls.ts'
import { publicUrl } from './app-with-keys.ts'

export interface ProviderResponse {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Changes a response of the provider on its way. @param path without the query */
export type Rewrite = (path: string, response: ProviderResponse) => ProviderResponse | Promise<ProviderResponse>

/** An identity provider on `https://localhost`, and a proxy before it. */
export interface TestProvider extends AsyncDisposable {
  issuer: string
  /** Settings of a server that uses it. */
  settings: Record<string, string>
  /** The subject of the person who logs in. */
  account: string
  rewrite: Rewrite
  /** The paths of requests, in order, without queries. */
  requests: string[]
  /** The header `Authorization` and the body of requests to the token endpoint. */
  tokenRequests: { authorization: string | undefined; body: string }[]
}

/** Shared by the tests of a process, as it takes a while to create. */
const providerKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const jwk = { ...providerKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }

export const clientSecret = 'a secret+with/special:characters%'

const unchanged: Rewrite = (_path, response) => response

/** @param options of the client, such as its authentication */
export async function startProvider(options: object = {}): Promise<TestProvider> {
  const inner = createServer()
  const outer = createTlsServer(certificate)
  for (const server of [inner, outer]) await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `https://localhost:${(outer.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configurationOf(options))
  provider.proxy = true
  const respond = provider.callback()

  const t: TestProvider = {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'summit', OIDC_CLIENT_SECRET: clientSecret },
    account: 'eva',
    rewrite: unchanged,
    requests: [],
    tokenRequests: [],
    [Symbol.asyncDispose]: async () => {
      for (const server of [outer, inner]) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
  inner.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return respond(request, response)
    await provider.interactionFinished(request, response, { login: { accountId: t.account } })
  })
  outer.on('request', async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const body = await buffer(request)
    t.requests.push(path)
    if (path === '/token') t.tokenRequests.push({ authorization: request.headers.authorization, body: body.toString() })
    const received = await forward(request, body, (inner.address() as AddressInfo).port)
    const { status, headers, body: text } = await t.rewrite(path, received)
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...others } = headers
    response.writeHead(status, others).end(text)
  })
  return t
}

const configurationOf = (options: object): object => ({
  clients: [
    {
      client_id: 'summit',
      client_secret: clientSecret,
      redirect_uris: [`${publicUrl}/sign-in/oidc/callback`],
      ...options,
    },
  ],
  jwks: { keys: [jwk] },
  // It warns about its defaults.
  adapter: createMemoryAdapter(0),
  ttl: Object.fromEntries(
    ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session'].map((name) => [name, 600]),
  ),
  cookies: { keys: ['test'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  pkce: { required: () => true },
  claims: { openid: ['sub', 'email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: (_context: unknown, accountId: string) => ({
    accountId,
    claims: () => ({ sub: accountId, email: `${accountId}@summit.example`, email_verified: true }),
  }),
  loadExistingGrant,
})

/** Users are not asked for their consent. */
async function loadExistingGrant({ oidc }: Context & { oidc: { provider: Provider } }) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid')
  await grant.save()
  return grant
}

async function forward(request: IncomingMessage, body: Buffer, port: number): Promise<ProviderResponse> {
  const { method, url: path, headers } = request
  const forwarded = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': headers.host }
  const sent = requestHttp({ host: '127.0.0.1', port, method, path, headers: forwarded, agent: false }).end(body)
  const [received] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: received.statusCode ?? 0,
    headers: received.headers,
    body: (await buffer(received)).toString(),
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs claims as the provider does. */
export const signAsProvider = (claims: object): string => signJwt({ alg: 'RS256', kid: 'test' }, claims, providerKey)

/** @param key none for `alg: none` */
export function signJwt(header: object, claims: object, key?: KeyObject): string {
  const signed = `${encode({ typ: 'JWT', ...header })}.${encode(claims)}`
  return `${signed}.${key ? createSign('RSA-SHA256').update(signed).sign(key, 'base64url') : ''}`
}

/** A key that the provider does not have. */
export const createOtherKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** Replaces the ID token in the response of the token endpoint. @param change of its claims */
export const rewriteIdToken =
  (change: (claims: Record<string, unknown>, idToken: string) => string): Rewrite =>
  (path, response) => {
    if (path !== '/token') return response
    const tokens = JSON.parse(response.body) as { id_token: string }
    const [, claims = ''] = tokens.id_token.split('.')
    const id_token = change(JSON.parse(Buffer.from(claims, 'base64url').toString()), tokens.id_token)
    return { ...response, body: JSON.stringify({ ...tokens, id_token }) }
  }

/** Changes the discovery document. */
export const rewriteMetadata =
  (change: object): Rewrite =>
  (path, response) =>
    path === '/.well-known/openid-configuration'
      ? { ...response, body: JSON.stringify({ ...JSON.parse(response.body), ...change }) }
      : response
