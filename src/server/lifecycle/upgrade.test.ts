import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../test/access/app-with-keys.ts'
import { startTestAppOn, type TestApp } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import { startExampleApp } from '../../../test/contract/example-app.ts'
import { deletes, writes } from '../../../test/contract/examples.ts'
import { requestFor, send } from '../../../test/contract/requests.ts'
import * as make from '../../../test/make.ts'
import type { ParticipantId } from '../core/ids.ts'
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

/** The participants whom each stored response shows, besides its owner. */
async function shownIn(t: TestApp): Promise<Record<string, number[]>> {
  const mentions = await t.ctx.database.read.selectFrom('mention').selectAll().orderBy('participant_id').execute()
  const byKey = Map.groupBy(mentions, ({ key }) => key)
  return Object.fromEntries([...byKey].map(([key, some]) => [key, some.map(({ participant_id }) => participant_id)]))
}

test('stored responses of an older summit are found by their owners, and by everyone whom they show', async () => {
  await using t = await startExampleApp()
  const ben = 2 as ParticipantId
  await t.ctx.database.transaction((db) => db.updateTable('participant').set({ deleted_by: ben }).execute())
  for (const name of [...writes.filter((write) => !deletes.includes(write)), ...deletes]) {
    const { headers, ...request } = requestFor(name)
    await send(t, { ...request, headers: { ...headers, 'idempotency-key': name } })
  }
  const columns = ['key', 'fingerprint', 'response_code', 'data', 'created_at'] as const
  const responses = await t.ctx.database.read.selectFrom('idempotency').select(columns).execute()
  expect(responses.map(({ key }) => key)).toEqual(expect.arrayContaining(writes))
  const shown = await shownIn(t)
  expect(shown).toMatchObject({ likeTopic: [1, ben], updateParticipant: [1, ben] })
  const ofAna = 'participant 1 likeTopic'
  const copy = responses.filter(({ key }) => key === 'likeTopic').map((response) => ({ ...response, key: ofAna }))

  await using storage = await olderSummit()
  using _ = recordOutput()
  await run(storage, (db) =>
    db
      .insertInto('idempotency')
      .values([...responses, ...copy])
      .execute(),
  )
  await using upgraded = await startTestAppOn(storage)
  expect(await shownIn(upgraded)).toEqual({ ...shown, [ofAna]: [ben] })
  const owned = upgraded.ctx.database.read.selectFrom('idempotency').select(['key', 'participant_id'])
  expect(await owned.where('participant_id', '=', 1 as ParticipantId).execute()).toEqual([
    { key: ofAna, participant_id: 1 },
  ])
})

test('stored responses with links to files of members are searched, too', async () => {
  await using t = await startAppWithKeys('members')
  const files = [{ name: 'a.txt', data: 'SGVsbG8=' }]
  await t.ana.client.createTopic(
    { name: 'Slides', created_by: t.ana.participant, uploaded_files: files },
    { idempotencyKey: 'slides' },
  )
  const columns = ['key', 'fingerprint', 'response_code', 'data', 'created_at'] as const
  const stored = make.only(await t.ctx.database.read.selectFrom('idempotency').select(columns).execute())
  // Not JSON until a retry gets the media key of its sender.
  expect(() => JSON.parse(stored.data)).toThrow(SyntaxError)

  await using storage = await olderSummit()
  using _ = recordOutput()
  const byOther = { ...stored, key: 'credential 9 slides' }
  await run(storage, (db) => db.insertInto('idempotency').values([stored, byOther]).execute())
  await using upgraded = await startTestAppOn(storage)
  expect(await shownIn(upgraded)).toEqual({ [byOther.key]: [t.ana.participant] })
})
