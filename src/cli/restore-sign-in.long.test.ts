import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../test/command.ts'
import { inCommand } from '../../test/in-command.ts'
import * as make from '../../test/make.ts'
import { createClient } from '../client/client.ts'
import { noOrganizer, noParticipant, type ParticipantId } from '../server/core/ids.ts'
import { dayMs } from '../server/core/time-units.ts'
import { connectIdentity } from '../server/domains/organizers/identities.ts'
import { findOrganizer } from '../server/domains/organizers/organizers.ts'
import { setLoginEmail } from '../server/domains/participants/login-emails.ts'
import { hideParticipant } from '../server/domains/participants/sharing.ts'
import { startRecordedServer } from '../server/lifecycle/recorded-server.fixtures.ts'
import { createWorldWithLedger } from './restore-ledger.fixtures.ts'

// An older backup is restored after sign-ins and choices were withdrawn.

test('an organizer who was removed after a backup is removed again, but not one who was invited again', async () => {
  await using w = await createWorldWithLedger()
  const invite = (email: string) => w.run('organizer', 'invite', email, '--role', 'owner')
  const emails = ['first@x.example', 'removed@x.example', 'again@x.example']
  for (const email of emails) expect(await invite(email)).toMatchObject({ code: 0, err: '' })
  await w.run('organizer', 'remove', 'again@x.example')
  await invite('again@x.example')
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  for (const email of emails.slice(0, 2)) await w.run('organizer', 'remove', email)
  const ledger = join(w.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({ code: 0, err: '' })
  const { out } = await runSummitInProcess(['organizer', 'list'], w.restored)
  expect(emails.filter((email) => out.includes(email))).toEqual(['again@x.example'])
})

test('a person who could sign in at the time of a backup cannot after a restore if that was changed since', async () => {
  await using w = await createWorldWithLedger()
  const email = 'owner@x.example'
  expect(await w.run('organizer', 'invite', email, '--role', 'owner')).toMatchObject({ code: 0, err: '' })
  const quirina = (await make.participant(w, { first_name: 'Quirina' })) as ParticipantId
  await inCommand(w, async (scope) => {
    const organizer = (await findOrganizer(scope.db, email))?.id ?? noOrganizer
    const principal = { ...scope.principal, organizer }
    await connectIdentity({ ...scope, principal }, { issuer: 'https://login.example', subject: 'owner', name: '' })
    await setLoginEmail(scope, quirina, 'quirina@x.example')
  })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await w.run('organizer', 'invite', email, '--role', 'reader')
  await inCommand(w, (scope) => setLoginEmail(scope, quirina, ''))
  const ledger = join(w.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({ code: 0, err: '' })
  using restored = new DatabaseSync(join(w.restored.DATA_DIR, 'summit.db'))
  for (const table of ['organizer_identity', 'login'])
    expect(restored.prepare(`select * from ${table}`).all(), table).toEqual([])
})

test('a restore ends codes and retries of those who were signing in', async () => {
  await using w = await createWorldWithLedger()
  const quirina = (await make.participant(w, { first_name: 'Quirina' })) as ParticipantId
  const key = await w.issueKey('bearer', noParticipant, ['owner'])
  const session = await w.issueKey('session', noParticipant, ['owner'])
  const stay = [`credential ${key.id} retried`, `participant ${quirina} retried`]
  const browser = { browser_sha256: 'x', code_hmac: 'x' }
  const [now, email] = [Date.now(), 'quirina@x.example']
  await w.ctx.database.transaction(async (tx) => {
    const code = { purpose: 'sign-in', participant_id: quirina, email, ...browser, created_at: now }
    await tx.insertInto('code').values(code).execute()
    for (const name of [...stay, 'session x', 'browser x retried', `credential ${session.id} retried`]) {
      const response = { key: name, fingerprint: '', response_code: 1000, data: '{}', created_at: now }
      await tx.insertInto('idempotency').values(response).execute()
    }
  })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  expect(await w.restore('--apply')).toMatchObject({ code: 0, err: '' })
  using restored = new DatabaseSync(join(w.restored.DATA_DIR, 'summit.db'))
  const rowsOf = (table: string) => restored.prepare(`select * from ${table}`).all()
  expect(rowsOf('code')).toEqual([])
  expect(
    rowsOf('idempotency')
      .map((row) => row.key)
      .sort(),
  ).toEqual(stay)
})

test('a restore shows neither contacts withdrawn since the backup nor participants who left the directory', async () => {
  await using w = await createWorldWithLedger()
  const participants: number[] = []
  for (const first_name of ['Quirina', 'Benedikt', 'Cleo', 'Dan'])
    participants.push(await make.participant(w, { first_name }))
  const clients = await Promise.all(participants.map(async (id) => (await w.issueKey('bearer', id)).client))
  for (const client of clients) await client.updateSharing({ email: true, mobile_no: true })
  const [quirina, benedikt, cleo] = clients
  await cleo?.updateSharing({ mobile_no: false })
  await cleo?.updateSharing({ mobile_no: true })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await quirina?.updateSharing({ email: false, is_hidden: true })
  await benedikt?.updateSharing({ is_hidden: true })
  await cleo?.updateSharing({ employee_no: true })
  expect(await w.restore('--ledger', join(w.storage.dataDir, 'ledger'), '--apply')).toMatchObject({ code: 0, err: '' })
  using restored = new DatabaseSync(join(w.restored.DATA_DIR, 'summit.db'))
  const rows = restored.prepare('select email, mobile_no, is_hidden from sharing order by participant_id').all()
  expect(rows.map((row) => Object.values(row))).toEqual([
    [0, 0, 1],
    [1, 1, 1],
    [1, 1, 0],
    [1, 1, 0],
  ])
})

const hiddenIn = (dataDir: string) => {
  using restored = new DatabaseSync(join(dataDir, 'summit.db'))
  return restored
    .prepare('select is_hidden from sharing')
    .all()
    .map((row) => row.is_hidden)
}

test('a withdrawal that a clock dated in the future does not hide a later one from a restore', async () => {
  await using w = await createWorldWithLedger()
  const quirina = (await make.participant(w, { first_name: 'Quirina' })) as ParticipantId
  const { client } = await w.issueKey('bearer', quirina)
  await inCommand(w, (scope) => hideParticipant({ ...scope, now: scope.now + 365 * dayMs }, quirina))
  await client.updateSharing({ is_hidden: false })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await client.updateSharing({ is_hidden: true })
  expect(await w.restore('--ledger', join(w.storage.dataDir, 'ledger'), '--apply')).toMatchObject({ code: 0, err: '' })
  expect(hiddenIn(w.restored.DATA_DIR)).toEqual([1])
})

test('a restore does not repeat what an earlier one has repeated, and what was undone since', async () => {
  await using w = await createWorldWithLedger()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  const { client, secret } = await w.issueKey('bearer', quirina)
  await client.updateSharing({ email: true })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await client.updateSharing({ is_hidden: true })
  expect(await w.restore('--ledger', join(w.storage.dataDir, 'ledger'), '--apply')).toMatchObject({ code: 0, err: '' })
  expect(hiddenIn(w.restored.DATA_DIR)).toEqual([1])
  {
    await using server = await startRecordedServer({ ...w.restored, BACKUP_EVERY: 'never', LOG_LEVEL: 'error' })
    await createClient(server.url, { headers: { authorization: `Bearer ${secret}` } }).updateSharing({
      is_hidden: false,
    })
  }
  const again = { ...w.restored, DATA_DIR: `${w.restored.DATA_DIR}-again` }
  expect(await runSummitInProcess(['backup'], w.restored)).toMatchObject({ code: 0, err: '' })
  expect(await runSummitInProcess(['restore', '--apply'], again)).toMatchObject({ code: 0, err: '' })
  expect(hiddenIn(again.DATA_DIR)).toEqual([0])
})
