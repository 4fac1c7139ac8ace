import type * as client from 'openid-client'
import type { OidcConfig } from '../../config/config.ts'
import { noOrganizer } from '../../core/ids.ts'
import type { Identity } from '../../domains/organizers/identities.ts'
import { createFetch } from '../../platform/egress/fetch.ts'
import { derive, type Login } from './login.ts'
import { orSignInError, SignInError } from './sign-in-error.ts'

/** The identity provider of a summit, in the authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636). */
export interface IdentityProvider {
  /** The URL at which the user logs in. @throws SignInError */
  authorizationUrl(login: Login): Promise<URL>
  /**
   * Exchanges the code of a callback for the account of the user.
   * @param query of the callback
   * @throws SignInError
   */
  identify(login: Login, query: URLSearchParams): Promise<Identity>
}

/** @param redirectUri the URL of the callback */
export function createIdentityProvider(config: OidcConfig, redirectUri: string): IdentityProvider {
  let discovered: Promise<Discovered> | undefined
  /** Metadata is read when it is first needed, and again only after a failure. */
  const discoverOnce = (): Promise<Discovered> => {
    discovered ??= discover(config).catch((error) => {
      discovered = undefined
      throw error
    })
    return discovered
  }
  return {
    authorizationUrl: (login) =>
      orSignInError(async () => {
        const { library, provider } = await discoverOnce()
        return library.buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: scopeOf(login, provider.serverMetadata()),
          state: derive(login, 'state'),
          nonce: derive(login, 'nonce'),
          code_challenge: await library.calculatePKCECodeChallenge(derive(login, 'code verifier')),
          code_challenge_method: 'S256',
        })
      }),
    identify: (login, query) =>
      orSignInError(async () => {
        const { library, provider } = await discoverOnce()
        const tokens = await library.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
          expectedState: derive(login, 'state'),
          expectedNonce: derive(login, 'nonce'),
          pkceCodeVerifier: derive(login, 'code verifier'),
          idTokenExpected: true,
        })
        return toIdentity(tokens.claims())
      }),
  }
}

interface Discovered {
  library: typeof client
  provider: client.Configuration
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Discovered> {
  // Most summits do not need it.
  const library = await import('openid-client')
  const { customFetch, enableNonRepudiationChecks, allowInsecureRequests } = library
  const { origin, protocol } = new URL(issuer)
  const provider = await library.discovery(new URL(issuer), clientId, {}, authenticate(library, clientSecret), {
    [customFetch]: createFetch({ origins: [origin] }),
    // By default the signature of an ID token from the token endpoint is not verified.
    execute: [enableNonRepudiationChecks, ...(protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
  return { library, provider }
}

/** A provider that does not say supports `client_secret_basic` (OpenID Connect Discovery 1.0, 3). */
const authenticate =
  ({ ClientSecretBasic, ClientSecretPost }: typeof client, secret: string): client.ClientAuth =>
  (provider, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = provider
    const method = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    method(secret)(provider, ...rest)
  }

/** Only an organizer who connects an account needs to recognize it. */
const scopeOf = ({ organizer }: Login, { scopes_supported = [] }: client.ServerMetadata): string =>
  organizer !== noOrganizer && scopes_supported.includes('email') ? 'openid email' : 'openid'

/** OpenID Connect Core 1.0, 2: a subject has at most 255 ASCII characters. */
function toIdentity(claims: client.IDToken | undefined): Identity {
  if (!claims || !/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new SignInError('PROVIDER_INVALID')
  const { iss, sub, email, preferred_username, name } = claims
  return { issuer: iss, subject: sub, name: [email, preferred_username, name].find(isName) ?? '' }
}

/** Without characters that cannot be seen, or that change the direction of others. */
const isName = (claim: unknown): claim is string => typeof claim === 'string' && /^\P{C}{1,254}$/u.test(claim)
