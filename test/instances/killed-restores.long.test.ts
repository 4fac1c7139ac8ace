import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { TestStorage } from '../app.ts'
import { runSummit, runSummitInProcess } from '../command.ts'
import { createEmptyDatabase } from '../databases.ts'
import { isServed, startSummitWithBackups } from '../faults/backup/summit-with-backups.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

const kills = 10

/** A proxy to the database server that counts what the client sends, and calls `onLast` instead of sending the last. */
async function startCountingProxy(url: string) {
  const { hostname, port } = new URL(url)
  const state = { left: Number.POSITIVE_INFINITY, sent: 0, onLast: () => {} }
  const proxy = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
    client.on('data', (chunk) => {
      state.sent++
      if (--state.left > 0) upstream.write(chunk)
      else state.onLast()
    })
    upstream.pipe(client)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    state,
    /** The same database, through the proxy. */
    urlOf(database: string): string {
      const own = new URL(database)
      own.hostname = '127.0.0.1'
      own.port = String((proxy.address() as AddressInfo).port)
      return own.href
    },
    async [Symbol.asyncDispose]() {
      await once(proxy.close(), 'close')
    },
  }
}

async function newDatabase() {
  const database = await createEmptyDatabase()
  if (!database) throw new Error('this test needs PostgreSQL')
  return database
}

test('a restore to PostgreSQL that is killed at any of its steps is not served, and completed by the same command', async () => {
  await using summit = await startSummitWithBackups()
  expect(await summit.backup()).toMatchObject({ code: 0, err: '' })
  await using folder = await createTemporaryFolder()
  const first = await newDatabase()
  await using proxy = await startCountingProxy(first.url)
  const restored = ({ url }: { url: string }, name: string): TestStorage => {
    const dataDir = join(folder.path, name)
    return { dataDir, settings: { DATA_DIR: dataDir, DATABASE_URL: url }, [Symbol.asyncDispose]: async () => {} }
  }
  const args = ['restore', summit.to, '--apply']
  const through = ({ settings }: TestStorage) => ({
    ...settings,
    DATABASE_URL: proxy.urlOf(settings.DATABASE_URL ?? ''),
  })
  expect(await runSummit(args, through(restored(first, 'first')))).toMatchObject({ code: 0, err: '' })
  const steps = proxy.state.sent
  expect(steps).toBeGreaterThan(kills)
  let unfinished = 0
  for (let kill = 1; kill <= kills; kill++) {
    const at = Math.ceil((kill * steps) / kills)
    const context = `killed at message ${at} of ${steps}`
    const storage = restored(await newDatabase(), `${kill}`)
    proxy.state.left = at
    const { code } = await runSummit(args, through(storage), (child) => {
      proxy.state.onLast = () => child.kill('SIGKILL')
    })
    // A run may send the same in fewer messages than the first.
    if (code === 0) {
      expect(await isServed(storage, context), context).toBe(true)
      continue
    }
    expect(code, context).toBe(null)
    // Without secrets, a server would begin a new summit.
    if ((await hasSecrets(storage.settings.DATABASE_URL)) && (await isServed(storage, context))) continue
    unfinished++
    expect(await runSummitInProcess(args, storage.settings), context).toMatchObject({ code: 0, err: '' })
    expect(await readdir(join(storage.dataDir, 'backup')), context).toEqual([])
    expect(await runSummitInProcess(['check'], storage.settings), context).toMatchObject({ code: 0, err: '' })
    expect(await isServed(storage, context), context).toBe(true)
  }
  expect(unfinished).toBeGreaterThan(kills / 2)
})

/** Whether anything of a summit was written to the database. */
async function hasSecrets(url: string | undefined): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query("select 1 from pg_tables where tablename = 'secret'")
    return rows.length > 0 && (await client.query('select 1 from secret')).rows.length > 0
  } finally {
    await client.end()
  }
}
