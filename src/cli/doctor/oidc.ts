import { newSecret } from '../../server/auth/secret.ts'
import { noOrganizer } from '../../server/core/ids.ts'
import { createIdentityProvider } from '../../server/http/oidc/identity-provider.ts'
import { describeCauses, SignInError } from '../../server/http/oidc/sign-in-error.ts'
import { type Check, ok, problem, warning } from './diagnosis.ts'

/**
 * Whether the identity provider can be reached, and its metadata can be used. Whether it knows the client, only a
 * sign-in shows.
 */
export const checkOidc: Check = async ({ loaded: { config } }) => {
  const { oidc, access, publicUrl = '' } = config
  if (!oidc) return []
  if (access === 'open') return [warning('OIDC_ISSUER has no effect: with ACCESS=open nobody signs in.')]
  const server = `${oidc.issuer} (OIDC_ISSUER)`
  try {
    await createIdentityProvider(oidc, publicUrl).authorizationUrl({
      secret: newSecret(),
      organizer: noOrganizer,
      session: 0,
    })
    return [ok(`${server} can be used`)]
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    return [problem(`${server} cannot be used: ${describeCauses(error)}`)]
  }
}
