import { existsSync } from 'node:fs'
import { chmod, chown, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestStorage } from '../../test/app.ts'
import type { SecretName, Tables } from '../server/storage/db/tables.ts'
import { change, isOnServer, runCheck, runDoctor, stoppedSummit } from './doctor.fixtures.ts'

// The whole of `summit doctor`, and its checks of settings, folder, disk and database.

test('before the first start, warnings say what it will create, and nothing is created', async () => {
  await using storage = await createTestStorage({ isMigrated: false })
  const dir = join(storage.dataDir, 'new')
  const { found } = await runDoctor({ ...storage.settings, DATA_DIR: dir })
  expect(found('folder')).toEqual([expect.stringMatching(/^warning: .*\/new does not exist yet\. /)])
  expect(found('database')).toEqual([expect.stringMatching(/^warning: There is no summit in .* yet\. /)])
  expect(found('keys')).toEqual([])
  expect(existsSync(dir)).toBe(false)
})

test('invalid settings are problems, and misspelt ones warnings', async () => {
  await using storage = await createTestStorage()
  const invalid = await runDoctor({ ...storage.settings, PORT: 'x', WORKERS: '0' })
  expect(invalid.code).toBe(1)
  expect(invalid.found('settings')).toEqual([
    expect.stringMatching(/^problem: PORT must be /),
    expect.stringMatching(/^problem: WORKERS must be /),
  ])
  const misspelt = await runDoctor({ ...storage.settings, BACKUP_TOO: '/x' })
  expect(misspelt.found('settings')).toEqual([expect.stringMatching(/^warning: .* Did you mean BACKUP_TO\?$/)])
})

test('a folder that others can read is a warning', async () => {
  await using storage = await createTestStorage()
  await chmod(storage.dataDir, 0o755)
  expect(await runCheck('folder', storage.settings)).toEqual([
    `warning: Other users of this machine can read ${storage.dataDir}. Run: chmod go-rwx ${storage.dataDir}`,
  ])
})

test('root is told once to run the checks as the user who owns the folder', async ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root can give a folder away')
  await using storage = await createTestStorage()
  await chown(storage.dataDir, 65_534, 65_534)
  const { code, out, rows } = await runDoctor(storage.settings)
  expect([code, rows.filter(({ level }) => level === 'problem')]).toEqual([
    1,
    [
      {
        level: 'problem',
        name: 'folder',
        text:
          `DATA_DIR ${storage.dataDir} is owned by nobody, who could not use files created by root. Run the command as ` +
          `nobody: sudo -u nobody npm run summit -- --data-dir ${storage.dataDir} doctor`,
      },
    ],
  ])
  expect(out).toContain('\nThe rest was not checked, because root cannot do that for another user.\n\n1 problem, ')
})

test('a disk with less free space than the database takes is a problem', async ({ skip }) => {
  await using storage = await stoppedSummit()
  if (isOnServer(storage)) skip('the database is elsewhere')
  // Takes no space, as it has no blocks.
  await truncate(join(storage.dataDir, 'summit.db'), 2 ** 43)
  expect(await runCheck('disk', storage.settings)).toEqual([expect.stringMatching(/^problem: Only .* are free in /)])
})

test('overwritten pages of the database are a problem', async ({ skip }) => {
  await using storage = await stoppedSummit()
  if (isOnServer(storage)) skip('its files are the server’s')
  const file = join(storage.dataDir, 'summit.db')
  {
    await using handle = await open(file, 'r+')
    await handle.write(Buffer.alloc((await stat(file)).size - 4_096, 0xa5), 0, undefined, 4_096)
  }
  const { code, found } = await runDoctor(storage.settings)
  expect([code, ...found('database')]).toEqual([1, expect.stringMatching(/^problem: /)])
})

type Change = (db: Kysely<Tables>) => Promise<unknown>

const addSecret =
  (name: SecretName, value: string): Change =>
  (db) =>
    db.insertInto('secret').values({ name, value }).execute()

const removeSecret =
  (name: SecretName): Change =>
  (db) =>
    db.deleteFrom('secret').where('name', '=', name).execute()

const addMigration =
  (name: string): Change =>
  (db) =>
    sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(db)

const removeMigration =
  (name: string): Change =>
  (db) =>
    sql`delete from kysely_migration where name = ${name}`.execute(db)

test.each<[string, RegExp, Change, Change]>([
  ['was moved', /^problem: This summit was moved to \/new, /, addSecret('moved_to', '/new'), removeSecret('moved_to')],
  [
    'is restored in part',
    /^problem: A move or restore to this summit has not finished/,
    addSecret('unfinished_move', ''),
    removeSecret('unfinished_move'),
  ],
  [
    'is of a newer Summit',
    /^problem: .* written by a newer Summit /,
    addMigration('9999-future'),
    removeMigration('9999-future'),
  ],
  [
    'is of an older Summit',
    /^warning: .* was written by an older Summit\. /,
    removeMigration('0012-sign-ins-from-desk'),
    addMigration('0012-sign-ins-from-desk'),
  ],
])('a database that %s is found', async (_, expected, damage, mend) => {
  await using storage = await createTestStorage()
  await change(storage, damage)
  expect(await runCheck('database', storage.settings)).toEqual([expect.stringMatching(expected)])
  // Other tests use the database of a server again.
  await change(storage, mend)
})
