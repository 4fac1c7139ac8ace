import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../test/command.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import { createClient } from '../client/client.ts'
import { noParticipant, type ParticipantId } from '../server/core/ids.ts'
import { dayMs } from '../server/core/time-units.ts'
import { exportedListNames } from '../server/domains/export/list-names.ts'
import { startRecordedServer } from '../server/lifecycle/recorded-server.fixtures.ts'
import { isKnownEntry } from '../server/log/ledger/entries.ts'
import { readLedgerFile } from '../server/log/ledger/ledger-file.ts'
import { tableNames } from '../server/storage/db/tables.ts'
import { createWorldWithLedger } from './restore-ledger.fixtures.ts'

// An older backup is restored after people were erased and keys revoked.

const file = (name: string, text: string) => ({ name, data: Buffer.from(text).toString('base64') })

test.each(['a folder', 'S3'])(
  'a restored older backup, in %s, has nothing of a participant who was forgotten since, and no key that was revoked',
  async (place) => {
    await using s3 = await startInMemoryS3()
    await using w = await createWorldWithLedger(place === 'S3' ? s3.url : undefined)
    const quirina = await make.participant(w, { first_name: 'Quirina', email: 'quirina@x.example' })
    const ben = await make.participant(w, { first_name: 'Benedikt' })
    const [hers, revoked, valid] = [
      await w.issueKey('bearer', quirina),
      await w.issueKey('bearer', ben),
      await w.issueKey('bearer', ben),
    ]
    const [session, invitation] = [
      await w.issueKey('session', ben),
      await w.issueKey('invitation', noParticipant, ['owner']),
    ]
    const post = {
      name: 'By Quirina',
      created_by: quirina,
      uploaded_files: [file('Quirina.txt', 'Quirina wrote this')],
    }
    await hers.client.createTopic(post, { idempotencyKey: 'stored' })
    await hers.client.addFeedback({ participant_id: quirina, comments: 'Feedback of Quirina' })
    await valid.client.createTopic({ name: 'Hello', created_by: ben, uploaded_files: [file('stays.txt', 'stays')] })
    await valid.client.addFeedback({ participant_id: ben, comments: 'Feedback to delete' })
    expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })

    expect(await w.run('participant', 'forget', String(quirina), '--apply')).toMatchObject({ code: 0, err: '' })
    expect(await w.run('feedback', 'delete', '2', '--apply')).toMatchObject({ code: 0, err: '' })
    expect(await w.run('key', 'revoke', String(revoked.id))).toMatchObject({ code: 0, err: '' })
    const ledger = (await readLedgerFile(w.storage.dataDir)) ?? []
    expect(ledger.filter(isKnownEntry).map(({ kind, record }) => [kind, record])).toEqual([
      ['participant.deleted', quirina],
      ['participant.forgotten', quirina],
      ['feedback.deleted', 2],
      ['credential.revoked', revoked.id],
    ])
    expect(await w.run('backup', '--ledger')).toMatchObject({ code: 0, err: '' })

    const { code, out, err } = await w.restore('--apply')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Erasures and revocations after the backup, repeated from the ledger: 3.\n')
    {
      await using server = await startRecordedServer({ ...w.restored, BACKUP_EVERY: 'never', LOG_LEVEL: 'error' })
      const { database } = server.serving.ctx
      const rows = await Promise.all(tableNames.map((table) => database.read.selectFrom(table).selectAll().execute()))
      expect(JSON.stringify(rows)).not.toMatch(/quirina|to delete/i)
      expect(JSON.stringify(rows)).toContain('Benedikt')
      const codeWith = async (secret: string) =>
        make.codeOf(
          createClient(server.url, { headers: { authorization: `Bearer ${secret}` } }).call('listTopics', {
            offset: 0,
            limit: 9,
          }),
        )
      expect(await codeWith(valid.secret)).toBe(1000)
      for (const { secret } of [hers, revoked, session, invitation]) expect(await codeWith(secret)).toBe(4010)
    }
    for (const list of exportedListNames)
      expect((await runSummitInProcess(['export', list], w.restored)).out).not.toMatch(/quirina/i)
    const entries = await readdir(w.restored.DATA_DIR, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), 'latin1'), name).not.toMatch(/quirina/i)
    expect(files.filter(({ parentPath }) => parentPath.includes('kept'))).toHaveLength(1)
    expect(await runSummitInProcess(['check'], w.restored)).toMatchObject({ code: 0, err: '' })
    expect(await runSummitInProcess(['audit', 'verify'], w.restored)).toMatchObject({ code: 0, err: '' })
  },
)

test('posts that stayed when their author was erased stay after a restore, too, without an author', async () => {
  await using w = await createWorldWithLedger()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  await (await w.issueKey('bearer', quirina)).client.createTopic({ name: 'Stays', created_by: quirina })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  expect(await w.run('participant', 'forget', String(quirina), '--keep-posts', '--apply')).toMatchObject({
    code: 0,
    err: '',
  })
  // The location does not have the entry yet; the old DATA_DIR does.
  const ledger = join(w.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({ code: 0, err: '' })
  const { out } = await runSummitInProcess(['export', 'topics'], w.restored)
  expect(out).toContain('Stays')
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).not.toContain('Quirina')
})

test('another participant with the id of a forgotten one is not erased by a restore', async () => {
  await using w = await createWorldWithLedger()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  await w.run('participant', 'forget', String(quirina), '--apply')
  const later = { id: quirina as ParticipantId, first_name: 'Later', created_at: Date.now() + 1 }
  await w.ctx.database.transaction((tx) => tx.insertInto('participant').values(later).execute())
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  expect(await w.restore('--apply')).toMatchObject({ code: 0, err: '' })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).toContain('Later')
})

test('a participant who was added by a clock that was ahead, and erased once it was set, stays erased', async () => {
  await using w = await createWorldWithLedger()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  const created_at = Date.now() + 365 * dayMs
  await w.ctx.database.transaction((tx) =>
    tx
      .updateTable('participant')
      .set({ created_at })
      .where('id', '=', quirina as ParticipantId)
      .execute(),
  )
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  expect(await w.run('participant', 'forget', String(quirina), '--apply')).toMatchObject({ code: 0, err: '' })
  const ledger = join(w.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({ code: 0, err: '' })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).not.toContain('Quirina')
})
