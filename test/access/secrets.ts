import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Context } from '../../src/server/context.ts'
import { type RecordedServer, startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { tableNames } from '../../src/server/storage/db/tables.ts'
import type { TestStorage } from '../app.ts'
import { publicUrl } from './app-with-keys.ts'

export const start = ({ settings }: TestStorage, access: string) =>
  startRecordedServer({ ...settings, ...{ ACCESS: access, PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug' } })

/** Everything in a folder, as text. */
export async function readFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
}

export const readAllRows = ({ database }: Context) =>
  Promise.all(tableNames.map((table) => database.read.selectFrom(table).selectAll().execute()))

/** Only the random part, as the prefix is known. */
export function expectAbsent(secrets: readonly string[], everything: Record<string, unknown>): void {
  for (const secret of secrets)
    for (const [what, value] of Object.entries(everything))
      expect(JSON.stringify(value).includes(secret.replace(/^smt_/, '')), what).toBe(false)
}

/** Everything that a server has written, which it closes: its metrics, rows, log and files. */
export async function writtenBy(server: RecordedServer, { dataDir }: TestStorage) {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const rows = await readAllRows(server.serving.ctx)
  const log = await server.close()
  return { metrics, rows, log, stored: await readFolder(dataDir) }
}
