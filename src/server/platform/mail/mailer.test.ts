import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { startMailServer } from '../../../../test/mail-server.ts'
import { trustTestCertificate } from '../../../../test/tls.ts'
import { messageOf } from '../../core/errors.ts'
import { mailTarget } from './mail-target.ts'
import { createMailer, type Mail } from './mailer.ts'

const mail: Mail = { to: 'ana@x.example', subject: 'Your code', text: 'Your code is 12345678.' }

function mailerTo(url: string, options: { maxMs?: number; print?: (text: string) => void } = {}) {
  const target = mailTarget(url, 'Summit Köln <summit@x.example>')
  if (!target) throw new Error('no target')
  return createMailer(target, { print: () => {}, ...options })
}

const password = 'p@ss/w0rd:é'
const login = `ana:${encodeURIComponent(password)}`

/** The error of a mail that is not sent, which never contains the password or the recipient. */
async function failureOf(url: string, options: { maxMs?: number } = {}): Promise<string> {
  const error: unknown = await mailerTo(url, options)
    .send(mail)
    .then(
      () => 'sent',
      (reason: unknown) => reason,
    )
  const shown = inspect(error, { depth: 9, showHidden: true })
  const base64 = [password, `\0ana\0${password}`].map((text) => Buffer.from(text).toString('base64'))
  for (const secret of [password, encodeURIComponent(password), ...base64, mail.to]) expect(shown).not.toContain(secret)
  return messageOf(error)
}

test('the library is loaded with the mailer: with the first mail, it would delay what follows a known address', () => {
  const script = `
    import { registerHooks } from 'node:module'
    import { mailTarget } from ${JSON.stringify(new URL('mail-target.ts', import.meta.url).href)}
    import { createMailer } from ${JSON.stringify(new URL('mailer.ts', import.meta.url).href)}
    process.exitCode = 1
    registerHooks({
      load(url, context, load) {
        if (url.includes('/nodemailer/')) process.exitCode = 0
        return load(url, context)
      },
    })
    createMailer(mailTarget('smtp://127.0.0.1:1', 'summit@x.example'), { print: () => {} })`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).status).toBe(0)
})

test('a mail arrives at a mail server on this machine, marked as sent by a program', async () => {
  await using server = await startMailServer()
  const text = 'Hello Zoë,\n.\n..dots\nFrom here on: 12345678'
  await mailerTo(`smtp://127.0.0.1:${server.port}`).send({ ...mail, subject: 'Grüße 🎉', text })
  const [received] = server.received
  expect(received).toMatchObject({ from: 'summit@x.example', to: ['ana@x.example'], isEncrypted: false })
  const [head = '', body = ''] = received?.message.split('\r\n\r\n') ?? []
  expect(head).toMatch(/^From: =\?UTF-8\?.*<summit@x\.example>$/m)
  expect(head).toMatch(/^To: ana@x\.example$/m)
  expect(head).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m)
  expect(head).toMatch(/^Message-ID: <[^>]+@x\.example>$/m)
  expect(head).not.toMatch(/X-Mailer/i)
  expect(body).toContain('12345678')
  expect(body).toMatch(/^\.\.dots/m)
})

test.each([
  ['STARTTLS', 'smtp', '?tls=required', false],
  ['TLS from the first byte', 'smtps', '', true],
])('with %s the login and the mail are encrypted', async (_, scheme, query, secure) => {
  using _trust = trustTestCertificate()
  await using server = await startMailServer({
    secure,
    authOptional: false,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('no')),
  })
  const mailer = mailerTo(`${scheme}://${login}@localhost:${server.port}${query}`)
  await mailer.verify()
  expect(server.received).toEqual([])
  await mailer.send(mail)
  expect(server.received).toMatchObject([{ isEncrypted: true, user: 'ana', to: ['ana@x.example'] }])
})

test.each([
  [
    'does not offer TLS',
    'smtp',
    '?tls=required',
    { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] },
    /does not offer TLS \(5\d\d/,
  ],
  ['has a certificate that nobody signed', 'smtp', '?tls=required', {}, /cannot be used: .*self-signed certificate/],
  [
    'has such a certificate from the first byte',
    'smtps',
    '',
    { secure: true },
    /cannot be used: .*self-signed certificate/,
  ],
])('a server that %s gets neither the password nor the mail', async (_, scheme, query, options, expected) => {
  let logins = 0
  await using server = await startMailServer({
    ...options,
    onAuth: (_auth, _session, done) => {
      logins++
      done(null, { user: 'ana' })
    },
  })
  expect(await failureOf(`${scheme}://${login}@localhost:${server.port}${query}`)).toMatch(expected)
  expect([logins, server.received]).toEqual([0, []])
})

test('a certificate for another name is not accepted', async () => {
  using _trust = trustTestCertificate()
  await using server = await startMailServer({}, '127.0.0.2')
  expect(await failureOf(`smtp://127.0.0.2:${server.port}?tls=required`)).toMatch(
    /cannot be used: .*127\.0\.0\.2 is not in/,
  )
  expect(server.received).toEqual([])
})

test('a refused login is an error that does not repeat what the server says', async () => {
  await using server = await startMailServer({
    allowInsecureAuth: true,
    onAuth: ({ password: given }, _session, done) =>
      done(Object.assign(new Error(`5.7.8 ${given} of ${mail.to} is wrong`), { responseCode: 535 })),
  })
  const url = `smtp://${login}@localhost:${server.port}`
  const message = `The mail server localhost:${server.port} (SMTP_URL) refuses the user or the password (535 5.7.8).`
  expect(await failureOf(url)).toBe(message)
  await expect(mailerTo(url).verify()).rejects.toThrow(message)
})

test.each([
  ['the sender', { onMailFrom: refuse }],
  ['the recipient', { onRcptTo: refuse }],
])('a server that refuses %s is named with its status', async (_, options) => {
  await using server = await startMailServer(options)
  expect(await failureOf(`smtp://localhost:${server.port}`)).toMatch(/ \(SMTP_URL\) refuses the mail \(550\)\.$/)
})

function refuse({ address }: { address: string }, _session: unknown, done: (error: Error) => void): void {
  done(Object.assign(new Error(`no mail of ${address} and ${mail.to}`), { responseCode: 550 }))
}

/** A server that says nothing by itself. */
async function startTcpServer(onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => onConnection(socket.on('error', () => {})))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

test('a server that is down is an error', async () => {
  const { url } = await startTcpServer(() => {}).then(async (server) => {
    await server[Symbol.asyncDispose]()
    return server
  })
  expect(await failureOf(url)).toMatch(/^The mail server .* cannot be used: connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/)
})

const drip = (socket: Socket): void => {
  const timer = setInterval(() => socket.write('220-wait\r\n'), 10)
  socket.on('close', () => clearInterval(timer))
}

const greet = (socket: Socket): void => {
  socket.write('220 hello\r\n')
}

/** Offers TLS, and says no more once the client begins with it. */
const startTls = (socket: Socket): void => {
  greet(socket)
  socket.on('data', (data) => {
    if (data.toString().startsWith('EHLO')) socket.write('250-me\r\n250 STARTTLS\r\n')
    if (data.toString().startsWith('STARTTLS')) socket.write('220 go on\r\n')
  })
}

test.each<[string, string, (socket: Socket) => void]>([
  ['never greets', '', () => {}],
  ['never ends its greeting', '', drip],
  ['never begins with TLS', '?tls=required', startTls],
])('a server that %s is given up, and the connection closed', async (_, query, onConnection) => {
  const closed = Promise.withResolvers<void>()
  await using server = await startTcpServer((socket) => {
    socket.on('close', () => closed.resolve()).resume()
    onConnection(socket)
  })
  expect(await failureOf(server.url + query, { maxMs: 100 })).toMatch(/ \(SMTP_URL\) took over 100 ms\.$/)
  await closed.promise
})

test('a server that says nothing once TLS has begun is given up', async () => {
  using _trust = trustTestCertificate()
  await using server = await startMailServer({ secure: true, onConnect: () => {} })
  expect(await failureOf(`smtps://localhost:${server.port}`, { maxMs: 300 })).toMatch(/ took over 300 ms\.$/)
})

test('a server that does not begin with TLS is an error with smtps', async () => {
  await using server = await startTcpServer(greet)
  expect(await failureOf(server.url.replace('smtp', 'smtps'))).toMatch(
    / \(SMTP_URL\) cannot be used: wrong version number\.$/,
  )
})

test('a server that hangs up is an error', async () => {
  await using server = await startTcpServer((socket) => socket.end('220 hello\r\n'))
  expect(await failureOf(server.url)).toMatch(/ \(SMTP_URL\) cannot be used: .*[Cc]los/)
})

test.each(['ana@x.example\r\nRCPT TO:<eve@x.example>', 'ana@x.example,eve@x.example', 'Ana <ana@x.example>', ''])(
  'mail to %j is not sent',
  async (to) => {
    await using server = await startTcpServer(() => {})
    await expect(mailerTo(server.url).send({ ...mail, to })).rejects.toThrow(
      /^Mail was not sent: its recipient is not an e-mail address\.$/,
    )
    expect(server.sockets.size).toBe(0)
  },
)

test('a line break in the subject adds no header and no recipient', async () => {
  await using server = await startMailServer()
  const subject = 'Hello\r\nBcc: eve@x.example\r\n\r\nbody'
  await mailerTo(`smtp://127.0.0.1:${server.port}`).send({ ...mail, subject })
  const [received] = server.received
  expect(received?.to).toEqual(['ana@x.example'])
  const [head = ''] = received?.message.split('\r\n\r\n') ?? []
  expect(head).toMatch(/^Subject: Hello Bcc: eve@x\.example {2}body$/m)
  expect(head).not.toMatch(/^Bcc/im)
})

test('of many mails at a time four are sent, and the others wait', async () => {
  let [current, most, taken] = [0, 0, 0]
  let held: (() => void)[] = []
  await using server = await startMailServer({
    onMailFrom: (_address, _session, done) => {
      most = Math.max(most, ++current)
      held.push(done)
      if (held.length < 4) return
      const begun = held
      held = []
      // Meanwhile a fifth would begin, too.
      setTimeout(() => {
        for (const accept of begun) accept()
      }, 20)
    },
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => {
        current--
        taken++
        done()
      })
    },
  })
  const mailer = mailerTo(`smtp://127.0.0.1:${server.port}`)
  await Promise.all(Array.from({ length: 12 }, () => mailer.send(mail)))
  expect([taken, most]).toEqual([12, 4])
})

test('with SMTP_URL=log a mail is printed', async () => {
  const printed: string[] = []
  const mailer = mailerTo('log', { print: (text) => printed.push(text) })
  await mailer.verify()
  await mailer.send(mail)
  expect(printed).toEqual(['Mail to ana@x.example: Your code\n\nYour code is 12345678.'])
})
