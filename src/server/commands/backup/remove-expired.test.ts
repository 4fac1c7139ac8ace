import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { openBackupTarget } from '../../storage/blobs/backup-target.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import { BackupStore } from './backup-store.ts'
import { type Manifest, writeManifest } from './manifest.ts'
import { removeExpired, selectRetained } from './remove-expired.ts'

const [older, newer] = ['20300501t001000z-00000000', '20300501t002000z-00000000'] as const

const now = Date.parse('2030-05-01T00:30:00Z')

/** The manifest of a backup of an empty summit. */
const manifestOf = (id: string, createdAt: string): Manifest => ({
  format: 1,
  id,
  summit: '',
  createdAt: Date.parse(createdAt),
  durationMs: 0,
  isScheduled: true,
  version: '0.2.0',
  migrations: [],
  tables: {},
  database: [],
  files: [],
  missing: [],
  pages: 0,
})

/** A store in which the newer manifest is damaged once it has been read. */
class DamagingStore extends BackupStore {
  readonly #folder: string

  constructor(blobs: BlobStore, folder: string) {
    super(blobs, folder, undefined)
    this.#folder = folder
  }

  override async *read(name: string): AsyncGenerator<Uint8Array> {
    yield* super.read(name)
    if (name.startsWith(newer)) await truncate(join(this.#folder, 'backups', name), 10)
  }
}

/** Two backups in one hour, of which the older one has expired. */
async function setUpBackups() {
  const folder = await createTemporaryFolder()
  const blobs = await openBackupTarget({ kind: 'folder', dir: folder.path }, folder.path)
  const store = new BackupStore(blobs, folder.path, undefined)
  await writeManifest(store, manifestOf(older, '2030-05-01T00:10:00Z'))
  await writeManifest(store, manifestOf(newer, '2030-05-01T00:20:00Z'))
  return { dir: folder.path, blobs, store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('of two backups in an hour, the older one is removed', async () => {
  await using backups = await setUpBackups()
  expect(await removeExpired(backups.store, now)).toEqual({ expired: [older], unreadable: [] })
  expect([...(await backups.store.list()).keys()]).toEqual([`${newer}/manifest.json`])
})

test('nothing is removed if a manifest is damaged after the backups were listed', async () => {
  await using backups = await setUpBackups()
  const store = new DamagingStore(backups.blobs, backups.dir)
  expect(await removeExpired(store, now)).toEqual({ expired: [], unreadable: [newer] })
  expect([...(await store.list()).keys()].sort()).toEqual([`${older}/manifest.json`, `${newer}/manifest.json`])
})

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const start = Date.UTC(2030, 4, 1)

/** Backups named by their age in hours at the end of the last one. */
const hourly = (hours: number) =>
  Array.from({ length: hours }, (_, age) => ({
    id: `${age}`,
    createdAt: start - age * hourMs,
    isDamaged: false,
    isScheduled: true,
  }))

test('hourly backups of 90 days leave those of 24 hours, 7 days and 4 weeks', () => {
  const retained = [...selectRetained(hourly(90 * 24), start)].map(Number).sort((a, b) => a - b)
  expect(retained.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, age) => age))
  // The newest of each earlier day, at 23:00, and of each earlier week: 1970 began on a Thursday.
  expect(retained.slice(24)).toEqual([25, 49, 73, 97, 121, 145, 313, 481].filter((age) => age > 23))
})

test('of several backups in an hour the newest is retained', () => {
  const backups = [10, 20, 30].map((minutes) => ({
    ...{ id: `${minutes}`, createdAt: start + minutes * 60_000, isDamaged: false, isScheduled: true },
  }))
  expect([...selectRetained(backups, start + hourMs)]).toEqual(['30'])
})

test('after months without a backup, the last ones are retained', () => {
  const old = hourly(3).map((backup) => ({ ...backup, createdAt: backup.createdAt - 400 * 24 * hourMs }))
  expect(selectRetained(old, start)).toEqual(new Set(['0', '1', '2']))
})

/** A backup that the server made because it was due. @param hours after the start */
const scheduled = (id: string, hours: number) => ({
  ...{ id, createdAt: start + hours * hourMs, isDamaged: false, isScheduled: true },
})

/** One on each of the following days. */
const daily = (days: number) => Array.from({ length: days }, (_, day) => scheduled(`day ${day + 1}`, 24 * (day + 1)))

const retainedOf = (backups: Parameters<typeof selectRetained>[0], hours: number) =>
  selectRetained(backups, start + hours * hourMs)

test('a damaged backup does not take the place of a sound one, and is removed once there are backups of four weeks', () => {
  const damaged = { ...scheduled('damaged', 0.1), isDamaged: true }
  const sound = scheduled('sound', 0)
  expect(retainedOf([damaged, sound], 1)).toEqual(new Set(['damaged', 'sound']))
  expect(retainedOf([damaged, sound, ...daily(28)], 24 * 28)).toContain('damaged')
  expect(retainedOf([damaged, sound, ...daily(29)], 24 * 29)).not.toContain('damaged')
})

test('a backup that the operator made is retained until there are backups of a week, and replaces none that was due', () => {
  const byHand = { ...scheduled('by hand', 0.2), isScheduled: false }
  const due = scheduled('due', 0.1)
  expect(retainedOf([due, byHand], 1)).toEqual(new Set(['due', 'by hand']))
  const backups = [due, byHand, { ...byHand, id: 'again', createdAt: byHand.createdAt + 60_000 }]
  expect(retainedOf([...backups, ...daily(7)], 170)).toContain('by hand')
  expect(retainedOf([...backups, ...daily(8)], 200)).not.toContain('by hand')
})

test('where only the operator makes backups, those of hours, days and weeks are retained, too', () => {
  const byHand = hourly(90 * 24).map((backup) => ({ ...backup, isScheduled: false }))
  expect(selectRetained(byHand, start)).toContain('481')
})

test.each([
  ['ahead', 1],
  ['behind', -1],
])('backups that were made while the clock was a year %s let no other expire, before or after it is set', (_, sign) => {
  const byHand = { ...scheduled('by hand', 0), isScheduled: false }
  const before = [byHand, ...daily(3)]
  const wrong = Array.from({ length: 3 }, (_, hour) => scheduled(`wrong ${hour}`, sign * 365 * 24 + hour))
  const ids = [...before, ...wrong].map(({ id }) => id)
  expect(retainedOf([...before, ...wrong], sign * 365 * 24 + 3)).toEqual(new Set(ids))
  expect(retainedOf([...before, ...wrong], 24 * 3 + 1)).toEqual(new Set(ids))
})

test('however many backups are dated in the future, as many others are retained as without them', () => {
  const future = hourly(60).map((backup) => ({
    ...backup,
    id: `future ${backup.id}`,
    createdAt: backup.createdAt + 365 * dayMs,
  }))
  const retained = selectRetained([...future, ...hourly(60)], start)
  expect([...retained].filter((id) => !id.startsWith('future'))).toEqual([...selectRetained(hourly(60), start)])
  expect([...retained].filter((id) => id.startsWith('future'))).toHaveLength(60)
})
