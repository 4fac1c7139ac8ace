import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestAppOn, type TestStorage } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import { holdWrites } from '../../../test/databases.ts'
import {
  copiesIn,
  first,
  isInFolder,
  olderSummit,
  pending,
  pendingIn,
  recordOutput,
  run,
  topics,
} from './upgrade.fixtures.ts'

/** The tables of a database, as names. */
const tablesIn = (storage: TestStorage) =>
  run(storage, async (db) => (await db.introspection.getTables()).map(({ name }) => name).sort())

test('the copies before the last two migrations are not removed', async ({ skip }) => {
  await using storage = await olderSummit()
  if (!isInFolder(storage)) skip('the database is not in the folder')
  for (const [day, name] of ['0002-a', '0003-b'].entries()) {
    const file = join(storage.dataDir, `summit-before-${name}.db`)
    await writeFile(file, name)
    await utimes(file, day, day)
  }
  using _ = recordOutput()
  await using __ = await startTestAppOn(storage)
  expect(await copiesIn(storage)).toEqual(['summit-before-0003-b.db', `summit-before-${first}.db`])
})

test('with BACKUP_TO, an older summit is backed up before it is migrated, and can be restored from there', async () => {
  await using storage = await olderSummit()
  const settings = { BACKUP_TO: join(storage.dataDir, 'backups'), BACKUP_EVERY: 'never' }
  {
    using output = recordOutput()
    await using t = await startTestAppOn(storage, settings)
    expect(output.text()).toMatch(/^The verified backup \S+ in \S+ has its state before the migration\.$/m)
    expect(await topics(t)).toEqual(['Written before'])
  }
  expect(await copiesIn(storage)).toEqual([])
  const dataDir = join(storage.dataDir, 'restored')
  expect(await runSummitInProcess(['restore', settings.BACKUP_TO, '--apply'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
  })
  await using restored = await startTestAppOn({ ...storage, dataDir, settings: { DATA_DIR: dataDir } })
  expect(await topics(restored)).toEqual(['Written before'])
})

test('a migration that fails leaves the database as it was, and the start says so', async () => {
  await using storage = await olderSummit()
  using _ = recordOutput()
  // The migration creates `import_run` first.
  await run(storage, (db) => db.schema.createTable('import_record').addColumn('id', 'integer').execute())
  const before = await tablesIn(storage)
  await expect(startTestAppOn(storage)).rejects.toThrow(
    /^The database could not be migrated to this version, and was left as it was\. .*import_record/,
  )
  expect([await tablesIn(storage), await pendingIn(storage)]).toEqual([before, pending])

  await run(storage, (db) => db.schema.dropTable('import_record').execute())
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})

test('a migration while another process writes fails without changes, and can be repeated', async ({ skip }) => {
  await using storage = await olderSummit()
  if (!isInFolder(storage)) skip('the server lets both write')
  using _ = recordOutput()
  const release = await holdWrites(storage)
  await expect(startTestAppOn(storage)).rejects.toThrow(
    /^The database could not be migrated to this version, and was left as it was\. Another process is writing /,
  )
  await release()
  expect(await pendingIn(storage)).toEqual(pending)
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})

test('of several servers that start on an older summit, one backs it up and migrates it', async ({ skip }) => {
  await using storage = await olderSummit()
  if (isInFolder(storage)) skip('one server at a time uses a folder')
  using output = recordOutput()
  const BACKUP_TO = join(storage.dataDir, 'backups')
  const starts = Array.from({ length: 3 }, () => startTestAppOn(storage, { BACKUP_TO, BACKUP_EVERY: 'never' }))
  for (const start of starts) {
    await using t = await start
    expect(await topics(t)).toEqual(['Written before'])
  }
  expect(output.text().match(/^The (?:verified backup|database was migrated)/gm)).toEqual([
    'The verified backup',
    'The database was migrated',
  ])
})
