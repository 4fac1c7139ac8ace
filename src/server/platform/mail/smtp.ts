import { createTransport } from 'nodemailer'
import SmtpTransport from 'nodemailer/lib/smtp-transport'
import { connectTo } from '../egress/connect.ts'
import { describeError } from '../egress/egress-error.ts'
import type { SmtpTarget } from './mail-target.ts'
import { type Mail, MailError } from './mailer.ts'

/** @throws MailError */
export const sendBySmtp = (target: SmtpTarget, { to, subject, text }: Mail, maxMs: number): Promise<void> =>
  converse(target, maxMs, (transport) =>
    createTransport(transport).sendMail({
      from: target.from,
      to: { name: '', address: to },
      subject,
      text,
      // Programs that reply to mail, such as out-of-office notices, then do not (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )

/** @throws MailError */
export const verifySmtp = (target: SmtpTarget, maxMs: number): Promise<void> =>
  converse(target, maxMs, (transport) => createTransport(transport).verify())

async function converse(
  { host, port, encryption, credentials }: SmtpTarget,
  maxMs: number,
  work: (transport: SmtpTransport) => Promise<unknown>,
): Promise<void> {
  const timeout = AbortSignal.timeout(maxMs)
  const transport = new SmtpTransport({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    auth: credentials,
    getSocket: (_, done) => {
      connectTo({ host, port }, timeout).then((connection) => done(null, { connection }), done)
    },
  })
  try {
    await work(transport)
  } catch (error) {
    const reason = timeout.aborted ? `took over ${maxMs} ms` : reasonOf(error)
    // Without a cause, as nodemailer's error quotes the server.
    throw new MailError(`The mail server ${host}:${port} (SMTP_URL) ${reason}.`)
  }
}

/** Never in the words of the server, which could repeat the password or the recipient. */
function reasonOf(error: unknown): string {
  const { code, response } = error as { code?: string; response?: string }
  if (response === undefined) return `cannot be used: ${describeError(error)}`
  // RFC 5321, 4.2, and RFC 3463: "535 5.7.8 …".
  const [status = 'without a code'] = /^\d{3}(?: \d\.\d+\.\d+)?/.exec(response) ?? []
  if (code === 'EAUTH') return `refuses the user or the password (${status})`
  if (code === 'ETLS') return `does not offer TLS (${status})`
  return `refuses the mail (${status})`
}
