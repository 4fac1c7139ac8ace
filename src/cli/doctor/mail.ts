import { isLoopback } from '../../server/core/loopback.ts'
import { createMailer } from '../../server/platform/mail/mailer.ts'
import { type Check, orOk, warning } from './diagnosis.ts'

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
