import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readConfig } from '../../src/server/config/config.ts'
import { serve } from '../../src/server/lifecycle/serve.ts'
import type { TestApp } from '../app.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

export const newest = 'GET /api/newsfeeds/topics/0/1 HTTP/1.1\r\nHost: a\r\n\r\n'

export const create = (name: string) => {
  const body = JSON.stringify({ name, created_by: 1 })
  const head = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** Sends all requests at once on one connection. @returns the header of the first topic of each response */
export async function headersOf(t: TestApp, requests: string[]): Promise<string[]> {
  const last = newest.replace('\r\n', '\r\nConnection: close\r\n')
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.write([...requests, last].join(''))
  await once(socket, 'close')
  return [...received.matchAll(/"header":"([^"]*)"/g)].map(([, header = '']) => header).slice(0, -1)
}

/** Starts a server whose writes wait until the database is unlocked, and a client that sends requests to it. */
export async function startWithBlockedWrites(requests: string) {
  const folder = await createTemporaryFolder()
  const { config } = readConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' })
  const serving = await serve(config)
  const database = new DatabaseSync(join(folder.path, 'summit.db'))
  database.exec('begin immediate')
  const arrived: string[] = []
  serving.app.server.on('request', ({ method = '' }) => arrived.push(method))
  const client = connect(Number(new URL(serving.address).port), '127.0.0.1').setEncoding('utf8')
  let received = ''
  client.on('data', (text: string) => {
    received += text
  })
  client.write(requests)
  return {
    serving,
    client,
    database,
    arrived,
    countResponses: () => received.match(/"response_code"/g)?.length ?? 0,
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      database.close()
      await serving.close()
      await folder.remove()
    },
  }
}
