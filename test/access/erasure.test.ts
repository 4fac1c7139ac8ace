import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { eraseParticipant } from '../../src/server/domains/privacy/erase.ts'
import { finishErasures, rebuildIfDue } from '../../src/server/domains/privacy/finish-erasures.ts'
import { recordLedger } from '../../src/server/lifecycle/schedules/record-ledger.ts'
import { scheduleErasures } from '../../src/server/lifecycle/schedules/schedule-erasures.ts'
import { tryLockForMaintenance } from '../../src/server/storage/db/locks.ts'
import type { TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { expectErased, importPeople, storedKeys } from './erasure.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.

test('with ERASE_POSTS=delete nothing personal is left in rows, responses, exports and files', () =>
  expectErased('delete'))

test.each([
  ['another id', (t: AppWithKeys) => ({ participant_id: t.ben.participant }), 'NOT_CONFIRMED'],
  ['no id', () => ({}), 'REQUIRED'],
])('without a confirmation, as by %s, nothing is erased', async (_, body, reason) => {
  await using t = await startAppWithKeys('members')
  const { data } = await make.send(t, 'POST', '/api/me/erasure', JSON.stringify(body(t)), t.ana.headers)
  expect(data).toMatchObject({ reason: 'VALIDATION_FAILED', fields: [{ field: 'participant_id', reason }] })
  expect((await t.ana.client.getMe({})).me.participant?.email).toBe('ana@summit.example')
})

test('an organizer who is not a participant has nothing to erase', async () => {
  await using t = await startAppWithKeys('members')
  expect(await make.codeOf(t.owner.client.call('planErasure', {}))).toBe(4040)
  expect(await make.codeOf(t.owner.client.call('eraseOwnData', { participant_id: 1 }))).toBe(4040)
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

/** Makes the ledger unwritable. @returns a function that ends this */
async function blockLedger({ dataDir }: TestApp): Promise<() => Promise<void>> {
  const path = join(dataDir, 'ledger')
  await rm(path, { force: true })
  await mkdir(path)
  return () => rm(path, { recursive: true })
}

test('nobody is erased while the ledger cannot be written, nor by a command', async () => {
  await using t = await startAppWithKeys('members')
  const { client, participant } = t.ana
  const unblock = await blockLedger(t)
  const confirmed = { participant_id: participant }
  expect(await make.codeOf(client.call('eraseOwnData', confirmed))).toBe(5030)
  const forget = () => runSummitInProcess(['participant', 'forget', String(participant), '--apply'], t.settings)
  expect(await forget()).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') })
  expect((await client.getMe({})).me.participant?.id).toBe(String(participant))
  await unblock()
  expect(await make.codeOf(client.call('eraseOwnData', confirmed))).toBe(1000)
  expect(await readFile(join(t.dataDir, 'ledger'), 'utf8')).toContain('"participant.forgotten"')
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
