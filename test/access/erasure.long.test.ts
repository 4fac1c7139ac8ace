import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { eraseParticipant } from '../../src/server/domains/privacy/erase.ts'
import { finishErasures, rebuildIfDue } from '../../src/server/domains/privacy/finish-erasures.ts'
import { recordLedger } from '../../src/server/lifecycle/schedules/record-ledger.ts'
import { scheduleErasures } from '../../src/server/lifecycle/schedules/schedule-erasures.ts'
import { tryLockForMaintenance } from '../../src/server/storage/db/locks.ts'
import { startOtherServer, type TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { inCommand } from '../in-command.ts'
import { startInMemoryS3 } from '../in-memory-s3.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { addHistory, blockLedger, expectErased, file, importPeople, placesWithWord, storedKeys } from './erasure.ts'
import { signInAsParticipant } from './sessions.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.
const word = 'Zyzzyva'

test('with ERASE_POSTS=keep nothing personal is left in rows, responses, exports and files', () => expectErased('keep'))

test('files are removed from S3, too', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startAppWithKeys('members', { BLOBS_URL: s3.url })
  const person = await addHistory(t, 'delete')
  expect(await storedKeys(t)).toHaveLength(4)
  await person.client.eraseOwnData({ participant_id: person.participant })
  expect(await storedKeys(t)).toEqual([])
})

test('a file that a backup still has to copy is removed when the backup is done', async () => {
  await using t = await startAppWithKeys('members')
  const person = await addHistory(t, 'delete')
  const release = await tryLockForMaintenance(t.ctx.config.database)
  await person.client.eraseOwnData({ participant_id: person.participant })
  expect(await placesWithWord(t)).toEqual([])
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toHaveLength(4)
  await release?.()
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toEqual([])
})

test('another server finishes an erasure of a process that ended once it was committed', async () => {
  await using t = await startAppWithKeys('members')
  const { participant, client } = await addHistory(t, 'delete')
  await client.createTopic({ name: word, created_by: participant, uploaded_files: [file] })
  await inCommand(t, (scope) => eraseParticipant(scope, participant, 'delete'))
  expect(await storedKeys(t)).toHaveLength(5)
  await using other = await startOtherServer(t)
  await finishErasures(other.ctx)
  expect(await storedKeys(t)).toEqual([])
  expect(await placesWithWord(t)).toEqual([])
})

test('somebody is erased also while the store is down, and their files once it is there again', async () => {
  let isDown = false
  await using s3 = await startInMemoryS3(() => isDown)
  await using t = await startAppWithKeys('members', { BLOBS_URL: s3.url })
  const person = await addHistory(t, 'delete')
  isDown = true
  const confirmed = { participant_id: person.participant }
  expect(await make.codeOf(person.client.call('eraseOwnData', confirmed))).toBe(1000)
  expect(await placesWithWord(t)).toEqual([])
  await expect(finishErasures(t.ctx)).rejects.toThrow()
  isDown = false
  expect(await storedKeys(t)).toHaveLength(4)
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toEqual([])
})

test('every credential of a participant who was erased gets 4010 at once, on every server', async () => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t)
  const { participant } = t.ana
  const session = await signInAsParticipant(t, participant)
  const personal = await t.issuePersonalUrl(participant)
  const clients = [t.url, other.url].flatMap((url) => [
    createClient(url, { headers: t.ana.headers }),
    createClient(url, { headers: session.headers }),
    createClient(url + personal.prefix),
  ])
  const codes = () =>
    Promise.all(clients.map((client) => make.codeOf(client.call('listTopics', { offset: 0, limit: 1 }))))
  expect(await codes()).toEqual(clients.map(() => 1000))
  await t.ana.client.eraseOwnData({ participant_id: participant })
  expect(await codes()).toEqual(clients.map(() => 4010))
})

test('an import that is undone does not bring back a participant who was erased', async () => {
  await using t = await startAppWithKeys('members')
  await importPeople(t, 'first_name,last_name,email,designation\nAna,Cruz,ana@summit.example,Of imports\n')
  await t.ana.client.eraseOwnData({ participant_id: t.ana.participant })
  await runSummitInProcess(['import', 'undo', '1', '--apply'], t.settings)
  const { participants } = await t.owner.client.listParticipants({ offset: 0, limit: 9 })
  expect(participants.map(({ full_name }) => full_name)).toEqual(['Ben Cruz'])
})

test('the undo of an import leaves no stored response to those whom it removes', async () => {
  await using t = await startAppWithKeys('members')
  await importPeople(t, 'first_name,last_name,email\nDora,Cruz,dora@summit.example\n')
  const { participants } = await t.owner.client.listParticipants({ offset: 0, limit: 9 })
  const dora = Number(participants.find(({ full_name }) => full_name === 'Dora Cruz')?.id) as ParticipantId
  const { client } = await t.issueKey({ participant: dora })
  await client.updateSharing({ is_hidden: true }, { idempotencyKey: 'hers' })
  const stored = t.ctx.database.read.selectFrom('idempotency').select('participant_id')
  expect(await stored.execute()).toEqual([{ participant_id: dora }])
  expect(await runSummitInProcess(['import', 'undo', '1', '--apply'], t.settings)).toMatchObject({ code: 0, err: '' })
  expect(await stored.execute()).toEqual([])
})

test('if the ledger fails after the commit, the rest is done, and the entry follows', async () => {
  await using t = await startAppWithKeys('members')
  const { participant } = t.ana
  const uploaded_files = [{ name: 'a.txt', data: 'R3LD' }]
  await t.ana.client.createTopic({ name: 'T', created_by: participant, uploaded_files })
  const unblock = await blockLedger(t)
  const erasing = inCommand(t, (scope) => eraseParticipant(scope, participant, 'delete'))
  await expect(erasing).rejects.toMatchObject({ reason: 'OUTCOME_UNKNOWN' })
  await finishErasures(t.ctx)
  expect(await storedKeys(t)).toEqual([])
  await unblock()
  const stop = recordLedger(t.ctx, { error: () => {} } as never)
  await stop()
  expect(await readFile(join(t.dataDir, 'ledger'), 'utf8')).toContain('"participant.forgotten"')
})

test('an erasure finds 1,200 stored responses that show somebody, and leaves all others', async () => {
  await using t = await startAppWithKeys('members')
  const { participant } = t.ana
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < 1_300; nth++) {
      const key = `response ${nth}`
      const owner = nth % 2 === 0 ? participant : t.ben.participant
      const response = { key, fingerprint: '', response_code: 1000, data: '{}', created_at: t.ctx.clock() }
      await tx
        .insertInto('idempotency')
        .values({ ...response, participant_id: owner })
        .execute()
      if (nth % 2 === 1 && nth < 1_200)
        await tx.insertInto('mention').values({ key, participant_id: participant }).execute()
    }
  })
  await t.ana.client.eraseOwnData({ participant_id: participant })
  const { read } = t.ctx.database
  expect(await read.selectFrom('idempotency').select('key').execute()).toHaveLength(50)
  expect(await read.selectFrom('mention').select('key').execute()).toEqual([])
})

test('erasures of two people find all 400 stored responses that show them, also those that show both', async () => {
  await using t = await startAppWithKeys('members')
  const people = [t.ana.participant, t.ben.participant]
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < 400; nth++) {
      const key = `response ${nth}`
      const response = { key, fingerprint: '', response_code: 1000, data: '{}', created_at: t.ctx.clock() }
      await tx.insertInto('idempotency').values(response).execute()
      for (const participant_id of nth < 100 ? people : [t.ben.participant])
        await tx.insertInto('mention').values({ key, participant_id }).execute()
    }
  })
  for (const participant of people) await inCommand(t, (scope) => eraseParticipant(scope, participant, 'delete'))
  await finishErasures(t.ctx)
  expect(await t.ctx.database.read.selectFrom('idempotency').select('key').execute()).toEqual([])
})

test('a server that is stopping begins no further step of an erasure, and the next one does them', async () => {
  await using t = await startAppWithKeys('members')
  const { participant } = t.ana
  const uploaded_files = [{ name: 'a.txt', data: 'R3LD' }]
  await t.ana.client.createTopic({ name: 'T', created_by: participant, uploaded_files }, { idempotencyKey: 'hers' })
  await inCommand(t, (scope) => eraseParticipant(scope, participant, 'delete'))
  const left = async () =>
    (await t.ctx.database.read.selectFrom('erasure_step').select('kind').execute()).map(({ kind }) => kind)
  const log = { error: () => {} } as never
  await scheduleErasures(t.ctx, log)()
  expect(await left()).toEqual(['responses', 'photos', 'rebuild', 'file'])
  await finishErasures(t.ctx)
  expect([await left(), await storedKeys(t)]).toEqual([['rebuild'], []])
})

/** Whether the file of the database still has to be rebuilt. */
async function isRebuildLeft({ ctx }: TestApp): Promise<boolean> {
  await rebuildIfDue(ctx)
  return (await ctx.database.read.selectFrom('erasure_step').select('kind').execute()).length > 0
}

test('the file of the database is rebuilt after five minutes, and not during a backup', async () => {
  await using t = await startAppWithKeys('members')
  await t.ana.client.eraseOwnData({ participant_id: t.ana.participant })
  expect(await isRebuildLeft(t)).toBe(true)
  t.advance(5 * 60_000)
  const release = await tryLockForMaintenance(t.ctx.config.database)
  expect(await isRebuildLeft(t)).toBe(true)
  await release?.()
  expect(await isRebuildLeft(t)).toBe(false)
})

test('a clock that is put back does not postpone the rebuild', async () => {
  await using t = await startAppWithKeys('members')
  await t.ana.client.eraseOwnData({ participant_id: t.ana.participant })
  t.advance(-365 * 24 * 60 * 60_000)
  expect(await isRebuildLeft(t)).toBe(false)
})
