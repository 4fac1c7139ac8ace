import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Kysely } from 'kysely'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { loadConfig, readConfig } from '../server/config/config.ts'
import { openUnmigratedDatabase } from '../server/storage/db/open.ts'
import type { Tables } from '../server/storage/db/tables.ts'
import { type CheckName, runChecks } from './doctor/run-checks.ts'

/** The database server of the tests may lose data in a crash, which the check of the database reports. */
const isExpected = (text: string): boolean => !/ is off: a crash /.test(text)

/** Runs `summit doctor`. */
export async function runDoctor(settings: Record<string, string>) {
  const { code, out } = await runSummitInProcess(['doctor'], { PORT: '0', ...settings })
  const rows = out.split('\n').flatMap((line) => {
    const [, level = '', name = '', text = ''] = /^(ok|warning|problem) +(\w+) +(.*)$/.exec(line) ?? []
    return level !== '' && isExpected(text) ? [{ level, name, text }] : []
  })
  /** The results of a check: `warning: …`. */
  const found = (name: string) => rows.filter((row) => row.name === name).map(({ level, text }) => `${level}: ${text}`)
  return { code, out, rows, found }
}

/** Runs one check of `summit doctor`, as all of them start a process. @returns its results: `warning: …` */
export async function runCheck(name: CheckName, settings: Record<string, string>): Promise<string[]> {
  const checks = runChecks(loadConfig({ PORT: '0', ...settings }, {}), [name])
  const found = (await Array.fromAsync(checks)).flatMap(({ diagnoses }) => diagnoses)
  return found.filter(({ text }) => isExpected(text)).map(({ level, text }) => `${level}: ${text}`)
}

export const isOnServer = ({ settings }: Pick<TestStorage, 'settings'>): boolean => settings.DATABASE_URL !== undefined

export const portOf = ({ url }: Pick<TestApp, 'url'>): string => new URL(url).port

/** A summit without a server, with a topic that has a file. */
export async function stoppedSummit(): Promise<TestStorage> {
  const storage = await createTestStorage()
  await using t = await startTestAppOn(storage)
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  return storage
}

/** Changes the database of a summit. */
export async function change(storage: TestStorage, work: (db: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  const database = await openUnmigratedDatabase(readConfig(storage.settings).config.database)
  await database.transaction(work).finally(() => database.close())
}

/** A server that stands for a proxy or for another program. */
export async function startHttpServer(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** A proxy in front of a server. @param host what it sends as `Host` instead of the client's */
export const startProxy = ({ url }: Pick<TestApp, 'url'>, host?: string) =>
  startHttpServer((incoming, response) => {
    const headers = { ...incoming.headers, ...(host !== undefined && { host }) }
    const upstream = request(url + incoming.url, { headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    upstream.end()
  })
