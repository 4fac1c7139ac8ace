import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../databases.ts'
import { freePort } from '../free-port.ts'
import { createDataFolder } from './create-data-folder.ts'
import { DataOnServer } from './data-on-server.ts'
import { nginxMissing, startNginx } from './nginx.ts'
import { type ReadyServer, startServer } from './server-process.ts'

/** Restarts of each server. */
const rounds = 5
const readers = 12
const writers = 6

if (nginxMissing) console.warn(`skipped: ${nginxMissing}`)

/** A request with a wrong response, or none. */
interface LostRequest {
  request: string
  outcome: string
}

test.skipIf(nginxMissing !== undefined)(
  'every request gets its response while two servers behind nginx are restarted in turn',
  async () => {
    const database = await createEmptyDatabase()
    if (!database) throw new Error('two servers need a PostgreSQL database')
    await using folder = await createDataFolder()
    const ports = [await freePort(), await freePort()] as const
    const start = (index: 0 | 1) => startServer(folder.dir, { DATABASE_URL: database.url, PORT: String(ports[index]) })
    const servers: [ReadyServer, ReadyServer] = [await start(0), await start(1)]
    await using nginx = await startNginx(folder.dir, ports)

    const lost: LostRequest[] = []
    const stored: string[] = []
    let completed = 0
    const stop = new AbortController()
    const send = async (request: string, path: string, init?: RequestInit) => {
      try {
        const response = await fetch(`${nginx.url}${path}`, { ...init, signal: AbortSignal.timeout(20_000) })
        const text = await response.text()
        if (response.status === 200 && text.startsWith('[{"response_code":1000,')) completed++
        else lost.push({ request, outcome: `${response.status} ${text.slice(0, 200)}` })
      } catch (error) {
        lost.push({ request, outcome: String(error instanceof Error ? (error.cause ?? error) : error) })
      }
    }
    const read = async () => {
      while (!stop.signal.aborted) await send('read', '/api/newsfeeds/topics/0/20')
    }
    const write = async (writer: number) => {
      for (let count = 0; !stop.signal.aborted; count++) {
        const name = `${writer}-${count}`
        const body = new FormData()
        body.append('name', name)
        body.append('created_by', '1')
        if (count % 5 === 0) body.append('uploaded_files', new File([Buffer.alloc(200_000, 'summit')], 'a.txt'))
        const before = lost.length
        await send(`write ${name}`, '/api/newsfeeds/topics/create', { method: 'POST', body })
        if (lost.length === before) stored.push(name)
        await sleep(20)
      }
    }
    const running = Promise.all([
      ...Array.from({ length: readers }, read),
      ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ])

    for (let round = 0; round < rounds; round++) {
      for (const index of [0, 1] as const) {
        await sleep(500)
        expect(await servers[index].kill('SIGTERM')).toEqual({ code: 0, signal: null })
        servers[index] = await start(index)
      }
    }
    await sleep(500)
    stop.abort()
    await running
    console.log(`rolling restart: ${rounds * 2} restarts, ${completed} completed, ${lost.length} lost`)
    expect(lost).toEqual([])
    expect(completed).toBeGreaterThan(rounds * 100)

    const topics = await new DataOnServer(folder.dir, database.url).read((rows) => rows('select header from topic'))
    const names = topics.map((row) => String(row.header))
    expect(names.sort()).toEqual(stored.sort())
    for (const server of servers) await server[Symbol.asyncDispose]()
  },
)
