import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DamagedBackup } from '../../../src/server/commands/backup/backup-reader.ts'
import { BackupStore } from '../../../src/server/commands/backup/backup-store.ts'
import { Encryption } from '../../../src/server/commands/backup/encryption.ts'
import { readLedger } from '../../../src/server/commands/backup/ledger-objects.ts'
import { backupIds, readManifest } from '../../../src/server/commands/backup/manifest.ts'
import { fetchDatabase } from '../../../src/server/commands/backup/stored-database.ts'
import type { BlobStore } from '../../../src/server/storage/blobs/blob-store.ts'
import { startTestAppOn } from '../../app.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'
import { chooseSeed, createRandom, type Random } from '../random.ts'
import {
  copyBackups,
  encrypted,
  objectsIn,
  type SummitWithBackups,
  startSummitWithBackups,
} from './summit-with-backups.ts'

const alterations = 5_000

/** So many of them also go through the restore of a database, so many through the command. */
const [fetches, commands] = [300, 16]

type Objects = Map<string, Buffer>

const progress = async <T>(_label: string, _all: number, run: (onProgress: () => void) => Promise<T>): Promise<T> =>
  run(() => {})

/** Reads objects from memory, which is all that a restore does with them. */
const storeOf = (objects: Objects, { BACKUP_KEY }: Record<string, string>): BackupStore => {
  const blobs = {
    open: async (key: string) => {
      const bytes = objects.get(key)
      return bytes && { size: bytes.length, bytes: Readable.from([bytes]) }
    },
    list: async function* () {
      for (const [key, { length }] of objects) yield { key, size: length }
    },
  }
  return new BackupStore(
    blobs as unknown as BlobStore,
    '',
    BACKUP_KEY === undefined ? undefined : new Encryption(Buffer.from(BACKUP_KEY, 'hex')),
  )
}

/** Reads every object of the only backup, and the ledger. */
async function readAll(store: BackupStore, objects: Objects): Promise<void> {
  const manifest = await readManifest(store, backupIds(objects.keys())[0] ?? '')
  for (const { name, ...content } of manifest.database) await store.verify(name, content)
  for (const { sha256, size } of manifest.files) await store.verify(store.fileName(sha256), { sha256, size })
  await readLedger(store)
}

/** @returns other bytes than the given ones */
function alter(bytes: Buffer, random: Random, others: Buffer[]): { how: string; bytes: Buffer } {
  const at = random.int(0, bytes.length - 1)
  const copy = Buffer.from(bytes)
  switch (random.int(1, 6)) {
    case 1:
      return { how: `truncated to ${at}`, bytes: bytes.subarray(0, at) }
    case 2:
      return { how: 'without its last byte', bytes: bytes.subarray(0, -1) }
    case 3:
      return { how: 'with bytes behind it', bytes: Buffer.concat([bytes, random.bytes(random.int(1, 40))]) }
    case 4: {
      const end = Math.min(bytes.length, at + random.int(1, 512))
      for (let index = at; index < end; index++) copy[index] = ~(copy[index] ?? 0)
      return { how: `overwritten from ${at} to ${end}`, bytes: copy }
    }
    case 5: {
      const other = random.pick(others.filter((candidate) => !candidate.equals(bytes)))
      if (other) return { how: 'replaced by another object', bytes: other }
    }
  }
  const bit = random.int(0, 7)
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return { how: `bit ${bit} of byte ${at}`, bytes: copy }
}

describe.each([
  ['plain', {}],
  ['encrypted', encrypted],
])('a backup that is %s', (_, settings: Record<string, string>) => {
  let summit: SummitWithBackups
  let objects: Objects

  beforeAll(async () => {
    summit = await startSummitWithBackups(settings)
    expect(await summit.backup()).toMatchObject({ code: 0, err: '' })
    const folder = join(summit.to, 'backups')
    const paths = await objectsIn(summit.to)
    objects = new Map(
      await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)),
    )
  })
  afterAll(() => summit[Symbol.asyncDispose]())

  test('is refused in one clause whichever of its bytes are altered', async () => {
    const seed = chooseSeed()
    const random = createRandom(seed)
    await using scratch = await createTemporaryFolder()
    expect([...objects.keys()]).toHaveLength(6)
    await readAll(storeOf(objects, settings), objects)
    const undetected: string[] = []
    const isRefused = (error: unknown) => error instanceof DamagedBackup && /^[\x20-\x7e]+[^.]$/.test(error.message)
    for (let n = 0; n < alterations; n++) {
      // Half of the time the manifest, which is small.
      const names = [...objects.keys()]
      const name = random.pick(random.chance(0.5) ? names.filter((key) => key.endsWith('.json')) : names) ?? ''
      const { how, bytes } = alter(objects.get(name) ?? Buffer.alloc(0), random, [...objects.values()])
      const altered = new Map([...objects, [name, bytes]])
      const store = storeOf(altered, settings)
      const found = await readAll(store, altered).catch((error: unknown) => error)
      if (!isRefused(found)) undetected.push(`${n}: ${name} ${how}: ${found}`)
      if (n >= fetches || !name.includes('summit.db')) continue
      const manifest = await readManifest(store, backupIds(altered.keys())[0] ?? '')
      const fetched = await fetchDatabase(store, manifest, join(scratch.path, String(n)), progress).catch(
        (error: unknown) => error,
      )
      if (!isRefused(fetched)) undetected.push(`${n}: ${name} ${how}, fetched: ${fetched}`)
    }
    expect(undetected.slice(0, 10), `FAULT_SEED=${seed}`).toEqual([])
  })

  test('is refused by the commands in one sentence, and no server starts on it', async () => {
    const seed = chooseSeed()
    const random = createRandom(seed)
    for (let n = 0; n < commands; n++) {
      await using copy = await copyBackups(summit)
      const path = random.pick(await objectsIn(copy.to)) ?? ''
      const { how, bytes } = alter(await readFile(path), random, [...objects.values()])
      await writeFile(path, bytes)
      const context = `${n}: ${path} ${how}, FAULT_SEED=${seed}`
      const { code, err } = await copy.restore('--apply')
      expect([code, err], context).toEqual([1, expect.stringMatching(/^[^\n]+\.\n$/)])
      expect(err, context).toContain(`${copy.to}: `)
      if (existsSync(join(copy.restored.dataDir, 'summit.db')))
        await expect(startTestAppOn(copy.restored), context).rejects.toThrow('restore to this summit has not finished')
    }
    const all = { offset: 0, limit: 10 }
    expect((await summit.t.client.listTopics(all)).NewsFeed).toHaveLength(3)
  })
})
