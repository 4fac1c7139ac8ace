import pLimit from 'p-limit'
import { OperatorError } from '../../core/errors.ts'
import { isMailAddress } from './mail-address.ts'
import type { MailTarget, SmtpTarget } from './mail-target.ts'

/**
 * Why a mail was not sent. The message names the mail server and its status code, but not what it said: that could
 * repeat the password, or the address of the recipient.
 */
export class MailError extends OperatorError {
  override readonly name = 'MailError'
}

/** A message in plain text to one person. */
export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. @throws MailError */
  send(mail: Mail): Promise<void>
  /** Connects to the mail server and logs in, but sends nothing. @throws MailError */
  verify(): Promise<void>
}

interface MailerOptions {
  /** Takes a mail that is to be printed. */
  print: (text: string) => void
  /** Milliseconds for a mail, from the connection to the server's acceptance. */
  maxMs?: number
}

/** Mail servers limit the connections of a sender; other mails wait for their turn. */
const maxConnections = 4

export function createMailer(target: MailTarget, { print, maxMs = 20_000 }: MailerOptions): Mailer {
  const { send, verify } = target.kind === 'smtp' ? bySmtp(target, maxMs) : byPrinting(print)
  return {
    verify,
    async send(mail) {
      if (!isMailAddress(mail.to)) throw new MailError('Mail was not sent: its recipient is not an e-mail address.')
      await send(mail)
    },
  }
}

const byPrinting = (print: (text: string) => void): Mailer => ({
  send: async ({ to, subject, text }) => print(`Mail to ${to}: ${subject}\n\n${text}`),
  verify: async () => {},
})

function bySmtp(target: SmtpTarget, maxMs: number): Mailer {
  const limit = pLimit(maxConnections)
  // Its library is large. Loaded with the first mail, it would delay the requests that follow, and so tell that an address
  // is known.
  const library = import('./smtp.ts')
  return {
    send: (mail) => limit(async () => (await library).sendBySmtp(target, mail, maxMs)),
    verify: () => limit(async () => (await library).verifySmtp(target, maxMs)),
  }
}
