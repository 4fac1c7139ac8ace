import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/server/config/config.ts'
import { openDatabase } from '../../src/server/storage/db/open.ts'
import { createTestStorage, startTestAppOn, type TestStorage } from '../app.ts'
import { workersOf } from '../faults/child-processes.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import { filesBelow } from '../files-below.ts'
import { publicUrl, withKeys } from './app-with-keys.ts'
import { addHistory, filesWithWord } from './erasure.ts'

// A process is killed, or cannot write, while somebody erases themselves.

const access = { ACCESS: 'members', PUBLIC_URL: publicUrl }
const ledgerIn = ({ dataDir }: TestStorage) => join(dataDir, 'ledger')

/** A summit whose server has stopped, with a participant who has a history. */
async function createSummit() {
  const storage = await createTestStorage()
  await using app = await startTestAppOn(storage, access)
  const { participant, headers } = await addHistory(await withKeys(app), 'delete')
  const { config } = readConfig(storage.settings)
  const database = await openDatabase(config.database, () => {})
  const { read } = database
  return {
    storage,
    erase: ({ url }: ReadyServer) =>
      fetch(`${url}/api/me/erasure`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ participant_id: participant }),
      }),
    isErased: async () =>
      (await read.selectFrom('participant').select('id').where('id', '=', participant).execute()).length === 0,
    steps: async () => (await read.selectFrom('erasure_step').select('kind').execute()).map(({ kind }) => kind),
    storedFiles: async () => (await filesBelow(join(storage.dataDir, 'blobs', 'kept'))).length,
    ledger: () => readFile(ledgerIn(storage), 'utf8').catch(() => ''),
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await storage[Symbol.asyncDispose]()
    },
  }
}

type Summit = Awaited<ReturnType<typeof createSummit>>

/**
 * Begins an erasure that is committed, but not acknowledged: its server waits for a reader of the ledger, which is a pipe.
 * @returns a function that removes the pipe
 */
async function beginErasure(summit: Summit, server: ReadyServer): Promise<() => Promise<void>> {
  const path = ledgerIn(summit.storage)
  await rm(path, { force: true })
  execFileSync('mkfifo', [path])
  summit.erase(server).catch(() => {})
  await expect.poll(summit.isErased, { interval: 5 }).toBe(true)
  return () => rm(path)
}

test('an erasure of a killed server is finished by the next start, and is in the ledger at once', async () => {
  await using summit = await createSummit()
  const { storage } = summit
  {
    await using server = await startServer(storage.dataDir, { ...storage.settings, ...access })
    const removePipe = await beginErasure(summit, server)
    await server.kill('SIGKILL')
    await removePipe()
  }
  expect(await summit.storedFiles()).toBe(4)
  expect((await summit.steps()).toSorted()).toEqual(['file', 'file', 'file', 'photos', 'rebuild', 'responses'])
  await using _next = await startServer(storage.dataDir, { ...storage.settings, ...access })
  await expect.poll(summit.ledger, { timeout: 30_000 }).toContain('"participant.forgotten"')
  await expect.poll(summit.steps, { timeout: 30_000 }).toEqual([])
  expect(await summit.storedFiles()).toBe(0)
  expect(await filesWithWord(storage)).toEqual([])
})

test('an erasure of a killed worker is finished within a minute, without a restart', async () => {
  await using summit = await createSummit()
  const { storage } = summit
  await using server = await startServer(storage.dataDir, { ...storage.settings, ...access, WORKERS: '2' })
  const removePipe = await beginErasure(summit, server)
  for (const pid of await workersOf(server)) process.kill(pid, 'SIGKILL')
  await removePipe()
  await expect.poll(summit.ledger, { timeout: 14_000 }).toContain('"participant.forgotten"')
  await expect.poll(summit.steps, { timeout: 75_000 }).toEqual(['rebuild'])
  expect(await summit.storedFiles()).toBe(0)
})
