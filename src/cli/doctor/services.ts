import { newSecret } from '../../server/auth/secret.ts'
import { signInUrlOf } from '../../server/config/sign-in-url.ts'
import { noOrganizer } from '../../server/core/ids.ts'
import { isLoopback } from '../../server/core/loopback.ts'
import { createIdentityProvider } from '../../server/http/oidc/identity-provider.ts'
import { describeCauses, SignInError } from '../../server/http/oidc/sign-in-error.ts'
import { freePort } from '../../server/lifecycle/start/free-port.ts'
import { findSummitId } from '../../server/lifecycle/start/summit-id.ts'
import { createMailer } from '../../server/platform/mail/mailer.ts'
import { isServed } from '../../server/storage/db/locks.ts'
import { findServedSummit, inspectSummit } from '../find-summit.ts'
import { type Check, ok, orOk, problem, warning } from './diagnosis.ts'

/** Whether the port has the server of this summit, or is free for it. */
export const checkServer: Check = async ({ loaded: { config } }) => {
  const { port } = config
  if (port === 0) return [ok('not checked, because PORT is 0')]
  const served = await findServedSummit(config)
  if (served === undefined) {
    // Fails if another program uses the port.
    await freePort(config)
    if (isServed(config.database))
      return [
        warning(
          `A server uses DATA_DIR, but no summit responds on port ${port}. Give this command the PORT of the server.`,
        ),
      ]
    return [ok(`not running; port ${port} is free`)]
  }
  // The server may be of another version than this command, with another schema.
  const id = await inspectSummit(config, (db) => findSummitId(config, db))
  if (served === id) return [ok(`running on port ${port}`)]
  return [
    problem(
      `The server on port ${port} serves a different summit. Stop it, set another PORT, or give this command that server’s settings.`,
    ),
  ]
}

/** Whether the mail server can be reached, and accepts the login. No mail is sent. */
export const checkMail: Check = async ({ loaded: { config } }) => {
  const { mail } = config
  if (!mail) return []
  if (mail.kind === 'log') return [warning('SMTP_URL is log, so mail is printed to the log and not sent.')]
  await createMailer(mail, { print: () => {} }).verify()
  const { host, port, encryption, credentials } = mail
  const server = `${host}:${port} (SMTP_URL)`
  return orOk(
    encryption === 'none' && !isLoopback(host)
      ? [
          warning(
            `${server} is used without TLS: others on the network can read mail${credentials ? ' and the password' : ''}.`,
          ),
        ]
      : [],
    `${server} ${credentials ? 'accepts the login' : 'responds'}`,
  )
}

/**
 * Whether the identity provider can be reached, and its metadata can be used. Whether it knows the client, only a
 * sign-in shows.
 */
export const checkOidc: Check = async ({ loaded: { config } }) => {
  const { oidc } = config
  if (!oidc) return []
  const signInUrl = signInUrlOf(config)
  if (signInUrl === undefined)
    return [warning('OIDC_ISSUER has no effect: nobody signs in with a browser until PUBLIC_URL is an https URL.')]
  const server = `${oidc.issuer} (OIDC_ISSUER)`
  try {
    await createIdentityProvider(oidc, signInUrl).authorizationUrl({
      secret: newSecret(),
      organizer: noOrganizer,
      session: 0,
      next: '',
    })
    return [ok(`${server} can be used`)]
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    return [problem(`${server} cannot be used: ${describeCauses(error)}`)]
  }
}
