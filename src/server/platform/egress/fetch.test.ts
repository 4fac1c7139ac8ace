import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate, trustTestCertificate } from '../../../../test/tls.ts'
import { createFetch } from './fetch.ts'
import type { Lookup } from './resolve.ts'

let trust: Disposable
beforeAll(() => {
  trust = trustTestCertificate()
})
afterAll(() => trust[Symbol.dispose]())

const ok: RequestListener = (_, response) => void response.end('ok')

/** @param name by which the tests call it */
async function startServer(
  listener: RequestListener = ok,
  { isTls = true, name = 'login.example', address = '127.0.0.1', port = 0 } = {},
) {
  const server = isTls ? createTlsServer(certificate, listener) : createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  await once(server.listen(port, address), 'listening')
  const { port: used } = server.address() as AddressInfo
  return {
    origin: `${isTls ? 'https' : 'http'}://${name}:${used}`,
    port: used,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

const toAddress = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })

/** A resolver that gives the next answer each time, and the last one from then on. */
function answers(...rounds: string[][]) {
  const asked: string[] = []
  const lookup: Lookup = async (host) => {
    asked.push(host)
    return (rounds[asked.length - 1] ?? rounds.at(-1) ?? []).map(toAddress)
  }
  return { lookup, asked }
}

const loopback = answers(['127.0.0.1']).lookup

/** A `fetch` for which the operator has set the origin of a server. */
const trusting = ({ origin }: { origin: string }, options = {}) =>
  createFetch({ origins: [origin], lookup: loopback, ...options })

async function readText(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(request)).toString()
}

test('the operator’s host may be private, and gets method, headers, body, Host and server name', async () => {
  await using server = await startServer(async (request, response) => {
    const { servername } = request.socket as TLSSocket
    const { host, authorization, 'content-type': type } = request.headers
    const body = await readText(request)
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
    response.end(JSON.stringify([request.method, request.url, host, servername, authorization, type, body]))
  })
  const response = await trusting(server)(`${server.origin}/token?x=1`, {
    method: 'POST',
    headers: { authorization: 'Basic abc' },
    body: new URLSearchParams({ code: 'ä b' }),
    redirect: 'manual',
  })
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']])
  expect(await response.json()).toEqual([
    ...['POST', '/token?x=1', `login.example:${server.port}`, 'login.example', 'Basic abc'],
    ...['application/x-www-form-urlencoded;charset=UTF-8', 'code=%C3%A4+b'],
  ])
})

test('a response without a body is one', async () => {
  await using server = await startServer((_, response) => void response.writeHead(204).end())
  const response = await trusting(server)(server.origin)
  expect([response.status, await response.text()]).toEqual([204, ''])
})

test('a name that resolves to another address a moment later is asked for once, and that address is connected to', async () => {
  await using checked = await startServer((_, response) => void response.end('checked'))
  await using rebound = await startServer(ok, { address: '127.0.0.2', port: checked.port })
  const { lookup, asked } = answers(['127.0.0.1'], ['127.0.0.2'])
  const response = await trusting(checked, { lookup })(checked.origin)
  expect([await response.text(), asked, rebound.connections()]).toEqual(['checked', ['login.example'], 0])
})

test.each([
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '0', 'localhost', 'LOCALHOST'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]'],
  ...['[2002:7f00:1::]', '１２７.0.0.1', '127。0。0。1'],
])('%s of a document is not connected to', async (host) => {
  await using server = await startServer()
  const request = createFetch({ origins: ['https://login.example'] })(`https://${host}:${server.port}/`)
  await expect(request).rejects.toThrow(/ has the address .*, which is not a public one$/)
  expect(server.connections()).toBe(0)
})

test.each([
  ['https://169.254.169.254/latest/meta-data/', '169.254.169.254'],
  ['https://[fd00:ec2::254]/latest/meta-data/', 'fd00:ec2::254'],
  ['https://168.63.129.16/machine/', '168.63.129.16'],
])('the metadata at %s is not read', async (url, address) => {
  await expect(createFetch({ origins: [] })(url)).rejects.toThrow(`has the address ${address}, which is not a public`)
})

test.each([
  ['loopback', ['127.0.0.1']],
  ['a private address', ['10.1.2.3']],
  ['a public and then a private address', ['93.184.216.34', '192.168.0.1']],
  ['the metadata of a cloud machine', ['fd00:ec2::254']],
])('a name of a document that resolves to %s is not connected to', async (_, addresses) => {
  const { lookup, asked } = answers(addresses)
  await expect(createFetch({ origins: [], lookup })('https://evil.example/keys')).rejects.toThrow(
    `evil.example has the address ${addresses.at(-1)}, which is not a public one`,
  )
  expect(asked).toEqual(['evil.example'])
})

test('the operator’s host is trusted at its port only', async () => {
  await using server = await startServer()
  await using other = await startServer()
  await expect(trusting(server)(other.origin)).rejects.toThrow('has the address 127.0.0.1, which is not a public one')
  expect(other.connections()).toBe(0)
})

test('http is for an operator’s host on loopback', async () => {
  await using server = await startServer(ok, { isTls: false, name: 'localhost' })
  expect(await (await trusting(server)(server.origin)).text()).toBe('ok')

  const { lookup, asked } = answers(['10.0.0.1'])
  await expect(trusting(server, { lookup })(server.origin)).rejects.toThrow('address 10.0.0.1, where only https')
  expect(asked).toHaveLength(1)
  await expect(createFetch({ origins: [], lookup })(server.origin)).rejects.toThrow('is not an https URL')
  expect(asked).toHaveLength(1)
})

test.each([
  'ftp://login.example',
  'file:///etc/passwd',
  'data:,x',
  'https://me:secret@login.example',
  'login.example',
  '',
])('%s is refused before anything is resolved', async (url) => {
  const { lookup, asked } = answers(['127.0.0.1'])
  const request = createFetch({ origins: ['https://login.example'], lookup })(url)
  await expect(request).rejects.toThrow(/is not an https URL$|^Not a URL, or one with a password$/)
  expect(asked).toEqual([])
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) to loopback is not followed', async (status) => {
  await using inner = await startServer(ok, { isTls: false, name: '127.0.0.1' })
  await using server = await startServer((_, response) => {
    response.writeHead(status, { location: `${inner.origin}/secret` }).end()
  })
  await expect(trusting(server)(server.origin)).rejects.toThrow(
    `login.example:${server.port} redirects (${status}), which is not followed`,
  )
  expect(inner.connections()).toBe(0)
})

const pour: RequestListener = (_, response) => {
  const chunk = Buffer.alloc(16 * 1024, 'x')
  const write = () => {
    while (response.write(chunk));
  }
  response.on('drain', write)
  write()
}

test.each<[string, RequestListener]>([
  [
    'announced as huge',
    (_, response) => void response.writeHead(200, { 'content-length': 2 ** 40 }).write('x'.repeat(2_000)),
  ],
  ['endless', pour],
  ['one byte too long', (_, response) => void response.end('x'.repeat(1_001))],
])('a body that is %s is given up, and the connection closed', async (_, listener) => {
  const closed = Promise.withResolvers<void>()
  await using server = await startServer((request, response) => {
    response.on('close', closed.resolve)
    listener(request, response)
  })
  await expect(trusting(server, { maxBytes: 1_000 })(server.origin)).rejects.toThrow('sends more than 1000 bytes')
  await closed.promise
})

test('a body of exactly the limit is accepted', async () => {
  await using server = await startServer((_, response) => void response.end('x'.repeat(1_000)))
  expect(await (await trusting(server, { maxBytes: 1_000 })(server.origin)).text()).toHaveLength(1_000)
})

test('a compressed response, which could be far larger than its bytes, is refused, and the connection closed', async () => {
  const closed = Promise.withResolvers<void>()
  await using server = await startServer((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity')
    response.on('close', closed.resolve)
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(Buffer.alloc(1e6)))
  })
  const request = trusting(server, { maxMs: 60_000 })(server.origin)
  await expect(request).rejects.toThrow('sends a compressed response')
  await closed.promise
})

const drip: RequestListener = (_, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'), 10)
  response.on('close', () => clearInterval(timer))
}

test.each<[string, RequestListener]>([
  ['never responds', () => {}],
  ['sends its body byte by byte', drip],
])('a server that %s is given up', async (_, listener) => {
  await using server = await startServer(listener)
  await expect(trusting(server, { maxMs: 100 })(server.origin)).rejects.toThrow('took over 100 ms')
})

test('a resolver that never answers is given up', async () => {
  const fetch = createFetch({ origins: [], maxMs: 50, lookup: () => new Promise(() => {}) })
  await expect(fetch('https://slow.example/')).rejects.toThrow('slow.example took over 50 ms')
})

test('a caller can give up', async () => {
  const asked = Promise.withResolvers<void>()
  await using server = await startServer(() => asked.resolve())
  const controller = new AbortController()
  const request = trusting(server)(server.origin, { signal: controller.signal })
  await asked.promise
  controller.abort()
  await expect(request).rejects.toThrow('aborted')
})

test('a server whose certificate is for another name is not trusted', async () => {
  await using server = await startServer(ok, { name: 'login.test' })
  await expect(trusting(server)(server.origin)).rejects.toThrow(
    /cannot be reached: Host: login\.test\. is not in the cert/,
  )
})

test('an error names the host, and nothing else of the URL', async () => {
  const { origin } = await startServer().then(async (server) => {
    await server[Symbol.asyncDispose]()
    return server
  })
  const error = await trusting({ origin })(`${origin}/token?code=s3cret`).catch((reason: unknown) => reason)
  expect(String(error)).toMatch(
    /^EgressError: login\.example:\d+ cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
  )
  expect(String((error as Error).cause)).not.toContain('s3cret')
})
