import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestAppOn } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import * as make from '../../../test/make.ts'
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

// A start on the database of an older Summit.

test('an older summit in a folder is migrated at start, and the copy beside it can be used instead', async ({
  skip,
}) => {
  await using storage = await olderSummit()
  if (!isInFolder(storage)) skip('the database is not in the folder')
  using output = recordOutput()
  {
    await using t = await startTestAppOn(storage)
    expect(await topics(t)).toEqual(['Written before'])
    await make.topic(t, { name: 'Written since' })
  }
  const copy = join(storage.dataDir, `summit-before-${first}.db`)
  expect(output.text()).toContain(` Its state before the migration is in ${copy}\n`)

  for (const suffix of ['', '-wal', '-shm']) await rm(join(storage.dataDir, `summit.db${suffix}`), { force: true })
  await rename(copy, join(storage.dataDir, 'summit.db'))
  expect(await pendingIn(storage)).toEqual(pending)
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})

test('a start whose backup fails migrates nothing, and says how to start without one', async () => {
  await using storage = await olderSummit()
  using _ = recordOutput()
  await writeFile(join(storage.dataDir, 'a file'), '')
  const unmounted = join(storage.dataDir, 'unmounted')
  await writeFile(join(storage.dataDir, 'backup-locations'), `${unmounted}\n`)
  for (const [BACKUP_TO, reason] of [
    [join(storage.dataDir, 'a file', 'backups'), 'Backups cannot be stored in '],
    [unmounted, `Backups were stored in ${unmounted} before, and now there are none: `],
  ] as const)
    await expect(startTestAppOn(storage, { BACKUP_TO })).rejects.toThrow(
      `Nothing was migrated, because the backup before it failed. To start without one, unset BACKUP_TO. ${reason}`,
    )
  expect(await pendingIn(storage)).toEqual(pending)
})

test('an older summit on a server is migrated with a warning if BACKUP_TO is not set', async ({ skip }) => {
  await using storage = await olderSummit()
  if (isInFolder(storage)) skip('the database is copied')
  using output = recordOutput()
  await using t = await startTestAppOn(storage)
  expect(output.text()).toMatch(
    /^WARNING: .* migrated without a backup, because BACKUP_TO is not set\. .*set BACKUP_TO/m,
  )
  expect(await topics(t)).toEqual(['Written before'])
})

test('a command does not migrate an older summit, as an older server may be running on it', async () => {
  await using storage = await olderSummit()
  for (const command of [['export', 'topics'], ['sweep'], ['check']]) {
    const { code, err } = await runSummitInProcess(command, storage.settings)
    expect([code, err]).toEqual([
      1,
      'This database was written by an older Summit. Start this version once to migrate it.\n',
    ])
  }
  expect(await pendingIn(storage)).toEqual(pending)
})

test('an older summit that was moved is not migrated until the move is revoked', async () => {
  await using storage = await olderSummit()
  using _ = recordOutput()
  await run(storage, (db) => db.insertInto('secret').values({ name: 'moved_to', value: '/elsewhere' }).execute())
  await expect(startTestAppOn(storage)).rejects.toThrow(/^This summit was moved to \/elsewhere, /)
  expect([await pendingIn(storage), await copiesIn(storage)]).toEqual([pending, []])
  expect(await runSummitInProcess(['move', '--revoke'], storage.settings)).toMatchObject({ code: 0, err: '' })
  using __ = recordOutput()
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})
