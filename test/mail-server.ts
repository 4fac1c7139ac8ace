import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate } from './tls.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Head and body, as sent. */
  message: string
  isEncrypted: boolean
  user: string | undefined
}

/** Takes mail without a login, unless options ask for one, and offers STARTTLS. */
export async function startMailServer(options: SMTPServerOptions = {}, address = '127.0.0.1') {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    closeTimeout: 1,
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope
      text(stream).then((message) => {
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          message,
          isEncrypted: session.secure,
          user: session.user,
        })
        done()
      }, done)
    },
    ...options,
  })
  // Clients that give up.
  server.on('error', () => {})
  await once(server.listen(0, address), 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
