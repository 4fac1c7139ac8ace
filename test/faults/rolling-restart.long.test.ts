import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newDatabase } from '../databases.ts'
import { freePort } from '../free-port.ts'
import { DataOnServer } from './data-on-server.ts'
import { nginxMissing, startNginx } from './nginx.ts'
import { type ReadyServer, startServer } from './server-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** How often each is restarted. */
const rounds = Number(process.env.FAULT_ROUNDS ?? 1)
const readers = 12
const writers = 6

if (nginxMissing) console.warn(`skipped: ${nginxMissing}`)

/** A wrong answer, or none. */
interface Loss {
  what: string
  how: string
}

test.skipIf(nginxMissing !== undefined)(
  'two Summits on one database, behind nginx, are restarted one after the other, and every request is answered',
  { timeout: 60_000 + rounds * 30_000 },
  async () => {
    const database = await newDatabase()
    if (!database) throw new Error('two Summits need a database on a server')
    await using folder = await temporaryFolder()
    const ports = [await freePort(), await freePort()] as const
    const start = (at: 0 | 1) => startServer(folder.dir, { DATABASE_URL: database.url, PORT: String(ports[at]) })
    const servers: [ReadyServer, ReadyServer] = [await start(0), await start(1)]
    await using nginx = await startNginx(folder.dir, ports)

    const losses: Loss[] = []
    const stored: string[] = []
    let answered = 0
    const stop = new AbortController()
    const ask = async (what: string, path: string, init?: RequestInit) => {
      try {
        const response = await fetch(`${nginx.url}${path}`, { ...init, signal: AbortSignal.timeout(20_000) })
        const text = await response.text()
        if (response.status === 200 && text.startsWith('[{"response_code":1000,')) answered++
        else losses.push({ what, how: `${response.status} ${text.slice(0, 200)}` })
      } catch (error) {
        losses.push({ what, how: String(error instanceof Error ? (error.cause ?? error) : error) })
      }
    }
    const read = async () => {
      while (!stop.signal.aborted) await ask('read', '/api/newsfeeds/topics/0/20')
    }
    const write = async (writer: number) => {
      for (let at = 0; !stop.signal.aborted; at++) {
        const name = `${writer}-${at}`
        const body = new FormData()
        body.append('name', name)
        body.append('created_by', '1')
        if (at % 5 === 0) body.append('uploaded_files', new File([Buffer.alloc(200_000, 'summit')], 'a.txt'))
        const before = losses.length
        await ask(`write ${name}`, '/api/newsfeeds/topics/create', { method: 'POST', body })
        if (losses.length === before) stored.push(name)
        await sleep(20)
      }
    }
    const running = Promise.all([
      ...Array.from({ length: readers }, read),
      ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ])

    for (let round = 0; round < rounds; round++) {
      for (const at of [0, 1] as const) {
        await sleep(500)
        expect(await servers[at].kill('SIGTERM')).toEqual({ code: 0, signal: null })
        servers[at] = await start(at)
      }
    }
    await sleep(500)
    stop.abort()
    await running
    console.log(`rolling restart: ${rounds * 2} restarts, ${answered} answered, ${losses.length} lost`)
    expect(losses).toEqual([])
    expect(answered).toBeGreaterThan(rounds * 100)

    const topics = await new DataOnServer(folder.dir, database.url).read((rows) => rows('select header from topic'))
    const names = topics.map((row) => String(row.header))
    expect(names.sort()).toEqual(stored.sort())
    for (const server of servers) await server[Symbol.asyncDispose]()
  },
)
