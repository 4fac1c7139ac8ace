import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtempDisposable, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { inCommand } from '../../test/in-command.ts'
import * as make from '../../test/make.ts'
import { createClient } from '../client/client.ts'
import { createKey } from '../server/auth/keys.ts'
import { noParticipant } from '../server/core/ids.ts'

// A backup, restored in whole and in part. Each takes seconds, as it starts two servers, so most tests share one.

const BACKUP_KEY = 'ab'.repeat(32)
const all = { offset: 0, limit: 100 }
const file = (text: string) => ({ name: 'notes.txt', data: Buffer.from(text).toString('base64') })
const topics = async (t: TestApp) => (await t.client.listTopics(all)).NewsFeed.map(({ content }) => content.header)

const suite = new AsyncDisposableStack()
let storage: TestStorage
let t: TestApp
/** The folder of a backup that is encrypted. */
let backups: string
let printed: string

beforeAll(async () => {
  storage = suite.use(await createTestStorage())
  t = suite.use(await startTestAppOn(storage))
  await make.participant(t)
  await make.event(t, { title: 'Opening' })
  await make.topic(t, { name: 'First', uploaded_files: [file('first')] })
  await make.topic(t, { name: 'Second' })
  const folder = suite.use(await mkdtempDisposable(join(tmpdir(), 'summit-test-')))
  backups = join(folder.path, 'backups')
  const made = await runSummitInProcess(['backup', backups], { ...storage.settings, BACKUP_KEY })
  expect(made).toMatchObject({ code: 0, err: '' })
  printed = made.out
  await make.topic(t, { name: 'After the backup' })
})

afterAll(() => suite.disposeAsync())

/** A copy of the backup that a test may alter, and an empty folder to restore it to. */
async function newCopy() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const to = join(folder.path, 'backups')
  await cp(backups, to, { recursive: true })
  const dataDir = join(folder.path, 'restored')
  const settings = { DATA_DIR: dataDir, BACKUP_KEY }
  const restored: TestStorage = { dataDir, settings: { DATA_DIR: dataDir }, [Symbol.asyncDispose]: async () => {} }
  return {
    to,
    settings,
    restored,
    restore: (...args: string[]) => runSummitInProcess(['restore', to, ...args], settings),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** The objects of a location, by their paths. */
const objectsIn = async (to: string) =>
  (await readdir(to, { recursive: true })).filter((name) => /[0-9a-f]{64}$|\.(db|json)$/.test(name)).sort()

async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(path, bytes)
}

/** The newest backup that organizers see. */
async function newestBackupOf(app: TestApp) {
  const key = { label: 'test', participant: noParticipant, roles: ['reader'], expiresAt: 0 } as const
  const { secret } = await inCommand(app, (scope) => createKey(scope, key))
  const client = createClient(app.url, { headers: { authorization: `Bearer ${secret}` } })
  return (await client.readOverview({})).overview.backup.newest
}

test('a backup that was made while the server runs is restored elsewhere, with every row and file', async () => {
  await using copy = await newCopy()
  expect(printed).toMatch(/^Backup \d{8}t\d{6}z-[0-9a-f]{8} in .*: \d+ rows and 1 file, in [\d.]+ s\.\n/)
  expect(printed).toContain('served pages are identical\n')
  const plan = await copy.restore()
  expect(plan.out).toContain('Nothing was restored. Run the same command with --apply to restore it.\n')
  expect(existsSync(join(copy.restored.dataDir, 'summit.db'))).toBe(false)

  expect(await copy.restore('--apply')).toMatchObject({ code: 0, err: '' })
  expect(await runSummitInProcess(['check'], copy.settings)).toMatchObject({ code: 0, err: '' })
  await using restored = await startTestAppOn(copy.restored)
  expect(await topics(restored)).toEqual(['Second', 'First'])
  const { NewsFeed } = await restored.client.listTopics(all)
  const link = NewsFeed[1]?.content.uploaded_files[0]?.link ?? ''
  expect(await (await fetch(link)).text()).toBe('first')
  expect(restored.ctx.signatureKey.equals(t.ctx.signatureKey)).toBe(true)
  expect(await topics(t)).toEqual(['After the backup', 'Second', 'First'])
  const madeAt = printed.replace(/^Backup (\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)z.*/s, '$1-$2-$3 $4:$5:$6')
  expect(await newestBackupOf(t)).toMatchObject({ made_at: madeAt, bytes: expect.any(Number) })
  // That backup is not one of the restored summit, which has none yet.
  expect(await newestBackupOf(restored)).toBe(null)
})

test.each([
  ['deleted', (path: string) => rm(path)],
  ['emptied', (path: string) => truncate(path)],
])('the log and the index of a database that was %s are not applied to the restored one', async (_, damage) => {
  await using copy = await newCopy()
  const database = join(copy.restored.dataDir, 'summit.db')
  await mkdir(copy.restored.dataDir)
  const deleted = new DatabaseSync(database)
  deleted.exec('pragma journal_mode = wal; create table remains (id); insert into remains values (1)')
  const stale = ['-wal', '-shm'].map((suffix) => database + suffix)
  const bytes = await Promise.all(stale.map((path) => readFile(path)))
  deleted.close()
  await damage(database)
  for (const [index, path] of stale.entries()) await writeFile(path, bytes[index] ?? '')

  expect(await copy.restore('--apply')).toMatchObject({ code: 0, err: '' })
  const restored = new DatabaseSync(database)
  expect(restored.prepare("select * from sqlite_schema where name = 'remains'").all()).toEqual([])
  restored.close()
  expect(await runSummitInProcess(['check'], copy.settings)).toMatchObject({ code: 0, err: '' })
})

test('a restore to a location that has a summit is refused, and does not change it', async () => {
  const { code, err } = await runSummitInProcess(['restore', backups, '--apply'], { ...storage.settings, BACKUP_KEY })
  expect(code).toBe(1)
  expect(err).toMatch(/^There is already a summit in .*\. Set DATA_DIR to a new folder, or DATABASE_URL to an empty/)
  expect(await topics(t)).toHaveLength(3)
})

test.each<[string, (path: string) => Promise<unknown>]>([
  ['missing', (path) => rm(path)],
  ['altered by one bit', flipBit],
])(
  'no object of a backup may be %s: a restore fails, no server starts on it, and it can be repeated',
  async (_, alter) => {
    await using copy = await newCopy()
    const objects = await objectsIn(copy.to)
    expect(objects).toHaveLength(4)
    for (const name of objects) {
      const path = join(copy.to, name)
      const bytes = await readFile(path)
      await alter(path)
      const { code, err } = await copy.restore('--apply')
      expect(code).toBe(1)
      expect(err).toMatch(
        / is missing[.]| is truncated|was altered, or encrypted with another| is not encrypted with|^There is no backup in /,
      )
      if (existsSync(join(copy.restored.dataDir, 'summit.db')))
        await expect(startTestAppOn(copy.restored)).rejects.toThrow('restore to this summit has not finished')
      await writeFile(path, bytes)
    }
    expect(await copy.restore('--apply')).toMatchObject({ code: 0, err: '' })
  },
)

test('a mistyped place is reported, and not created', async () => {
  await using copy = await newCopy()
  const missing = `${copy.to}-mistyped`
  const { err } = await runSummitInProcess(['restore', missing], copy.settings)
  expect(err).toBe(`There is no backup in ${missing}.\n`)
  await runSummitInProcess(['backup', 'list', missing], copy.settings)
  expect(existsSync(missing)).toBe(false)
})

test('of a backup with a damaged file the rest is restored, if that is asked for', async () => {
  await using copy = await newCopy()
  await flipBit(join(copy.to, make.only((await objectsIn(copy.to)).filter((name) => name.includes('files')))))
  const refused = await copy.restore('--apply')
  expect(refused.err).toMatch(/To restore everything else, add --skip-damaged\.\n$/)
  const { code, out, err } = await copy.restore('--apply', '--skip-damaged')
  expect([code, out]).toEqual([1, expect.stringContaining('every row and every other file is identical')])
  expect(err).toMatch(/^ {2}not restored: files\/.* was altered, or encrypted with another BACKUP_KEY\n$/)
  await using restored = await startTestAppOn(copy.restored)
  expect(await topics(restored)).toEqual(['Second', 'First'])
})

test('a verification with the wrong key records no damage', async () => {
  await using copy = await newCopy()
  const verify = (key: string) =>
    runSummitInProcess(['backup', 'verify', copy.to], { ...copy.settings, BACKUP_KEY: key })
  for (const key of ['', 'cd'.repeat(32)]) expect(await verify(key)).toMatchObject({ code: 1 })
  expect((await runSummitInProcess(['backup', 'list', copy.to], copy.settings)).out).not.toContain('DAMAGED')
})

test('an encrypted backup contains no text of the summit, and requires its key', async () => {
  await using copy = await newCopy()
  for (const name of await objectsIn(copy.to)) {
    const bytes = await readFile(join(copy.to, name), 'latin1')
    expect(bytes).not.toMatch(/Second|first|SQLite|topic/)
  }
  const withKey = (key: string) => runSummitInProcess(['restore', copy.to], { ...copy.settings, BACKUP_KEY: key })
  expect((await withKey('')).err).toMatch(/manifest\.json is encrypted: set BACKUP_KEY\.\n$/)
  expect((await withKey('cd'.repeat(32))).err).toMatch(/was altered, or encrypted with another BACKUP_KEY\.\n$/)
})

test('stored files that are missing or damaged are restored from a backup while the server runs', async () => {
  await using copy = await newCopy()
  await copy.restore('--apply')
  await using restored = await startTestAppOn(copy.restored)
  const path = make.only(await make.blobs(restored))
  for (const damage of [() => rm(path), () => writeFile(path, 'wrong')]) {
    await damage()
    const plan = await copy.restore('--files')
    expect(plan.out).toContain('Nothing was restored. Run the same command with --apply to restore 1 file.\n')
    expect((await copy.restore('--files', '--apply')).out).toContain('Restored: 1 file.\n')
    expect(await readFile(path, 'utf8')).toBe('first')
  }
  expect((await copy.restore('--files')).out).toBe('No stored file is missing or damaged.\n')
})
