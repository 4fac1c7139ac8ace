import { appendFile, copyFile, mkdir, mkdtempDisposable, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { publicUrl } from '../../test/access/app-with-keys.ts'
import { createTestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import { createClient } from '../client/client.ts'
import { createKey } from '../server/access/keys.ts'
import { noOrganizer, noParticipant, type ParticipantId } from '../server/core/ids.ts'
import { tableNames } from '../server/db/tables.ts'
import { exportedListNames } from '../server/export/list-names.ts'
import { isKnownEntry } from '../server/ledger/entries.ts'
import { readLedgerFile } from '../server/ledger/ledger-file.ts'
import { startRecordedServer } from '../server/lifecycle/recorded-server.fixtures.ts'
import { connectIdentity } from '../server/organizers/identities.ts'
import { findOrganizer } from '../server/organizers/organizers.ts'
import { setLoginEmail } from '../server/participants/login-emails.ts'
import { commandScope, type WriteScope } from '../server/scope.ts'

// An older backup is restored after people were erased and keys revoked.

const BACKUP_KEY = 'ab'.repeat(32)
const members = { ACCESS: 'members', PUBLIC_URL: publicUrl }
const file = (name: string, text: string) => ({ name, data: Buffer.from(text).toString('base64') })

/** A summit of members, on the clock of the commands, with a folder for backups. */
async function world(backupTo?: string) {
  const stack = new AsyncDisposableStack()
  const storage = stack.use(await createTestStorage())
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'summit-test-')))
  const settings = { ...storage.settings, ...members, BACKUP_KEY, BACKUP_TO: backupTo ?? join(folder.path, 'backups') }
  const server = stack.use(await startRecordedServer({ ...settings, BACKUP_EVERY: 'never', LOG_LEVEL: 'error' }))
  const { ctx } = server.serving
  const issueKey = async (kind: string, participant: number, roles: 'owner'[] = []) => {
    const key = { label: kind, participant: participant as ParticipantId, roles, expiresAt: 0 }
    const { id, secret } = await ctx.database.transaction(async (tx) => {
      const created = await createKey(commandScope(ctx, tx, 'test'), key)
      await tx.updateTable('credential').set({ kind }).where('id', '=', created.id).execute()
      return created
    })
    return { id, secret, client: createClient(server.url, { headers: { authorization: `Bearer ${secret}` } }) }
  }
  const run = (...args: string[]) => runSummitInProcess(args, settings)
  const restored = { ...settings, DATA_DIR: join(folder.path, 'restored'), DATABASE_URL: '' }
  const restore = (...args: string[]) => runSummitInProcess(['restore', ...args], restored)
  return { storage, ctx, issueKey, run, restored, restore, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test.each(['a folder', 'S3'])(
  'a restored older backup, in %s, has nothing of a participant who was forgotten since, and no key that was revoked',
  async (place) => {
    await using s3 = await startInMemoryS3()
    await using w = await world(place === 'S3' ? s3.url : undefined)
    const quirina = await make.participant(w, { first_name: 'Quirina', email: 'quirina@x.example' })
    const ben = await make.participant(w, { first_name: 'Benedikt' })
    const [hers, revoked, kept] = [
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
    await hers.client.createTopic(post)
    await hers.client.addFeedback({ participant_id: quirina, comments: 'Feedback of Quirina' })
    await kept.client.createTopic({ name: 'Hello', created_by: ben, uploaded_files: [file('stays.txt', 'stays')] })
    await kept.client.addFeedback({ participant_id: ben, comments: 'Feedback to delete' })
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
      const answer = async (secret: string) =>
        make.codeOf(
          createClient(server.url, { headers: { authorization: `Bearer ${secret}` } }).call('listTopics', {
            offset: 0,
            limit: 9,
          }),
        )
      expect(await answer(kept.secret)).toBe(1000)
      for (const { secret } of [hers, revoked, session, invitation]) expect(await answer(secret)).toBe(4010)
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
  await using w = await world()
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
  await using w = await world()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  await w.run('participant', 'forget', String(quirina), '--apply')
  const later = { id: quirina as ParticipantId, first_name: 'Later', created_at: Date.now() + 1 }
  await w.ctx.database.transaction((tx) => tx.insertInto('participant').values(later).execute())
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  expect(await w.restore('--apply')).toMatchObject({ code: 0, err: '' })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).toContain('Later')
})

test('an organizer who was removed after a backup is removed again, but not one who was invited again', async () => {
  await using w = await world()
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
  await using w = await world()
  const email = 'owner@x.example'
  expect(await w.run('organizer', 'invite', email, '--role', 'owner')).toMatchObject({ code: 0, err: '' })
  const quirina = (await make.participant(w, { first_name: 'Quirina' })) as ParticipantId
  const inCommand = <T>(work: (scope: WriteScope) => Promise<T>) =>
    w.ctx.database.transaction((tx) => work(commandScope(w.ctx, tx, 'test')))
  await inCommand(async (scope) => {
    const organizer = (await findOrganizer(scope.db, email))?.id ?? noOrganizer
    const principal = { ...scope.principal, organizer }
    await connectIdentity({ ...scope, principal }, { issuer: 'https://login.example', subject: 'owner' })
    await setLoginEmail(scope, quirina, 'quirina@x.example')
  })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await w.run('organizer', 'invite', email, '--role', 'reader')
  await inCommand((scope) => setLoginEmail(scope, quirina, ''))
  const ledger = join(w.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({ code: 0, err: '' })
  using restored = new DatabaseSync(join(w.restored.DATA_DIR, 'summit.db'))
  for (const table of ['organizer_identity', 'login'])
    expect(restored.prepare(`select * from ${table}`).all(), table).toEqual([])
})

test('a summit does not add its ledger to the backups of another', async () => {
  await using one = await world()
  await make.participant(one)
  expect(await one.run('backup')).toMatchObject({ code: 0, err: '' })
  await using other = await world(one.restored.BACKUP_TO)
  const quirina = await make.participant(other, { first_name: 'Quirina' })
  const ledgers = () => readdir(join(one.restored.BACKUP_TO, 'backups', 'ledger'))
  const before = await ledgers()
  await other.run('participant', 'forget', String(quirina), '--apply')
  for (const args of [['backup'], ['backup', '--ledger']])
    expect(await other.run(...args)).toMatchObject({
      code: 1,
      err: 'This location has the backups of another summit. Choose another location.\n',
    })
  expect(await ledgers()).toEqual(before)
})

test('a restore without the ledger is refused unless it is asked for', async () => {
  await using w = await world()
  const quirina = await make.participant(w, { first_name: 'Quirina' })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await w.run('participant', 'forget', String(quirina), '--apply')
  await rm(join(w.restored.BACKUP_TO, 'backups', 'ledger'), { recursive: true })
  for (const args of [[], ['--apply']])
    expect(await w.restore(...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The ledger .* is missing\. /),
    })
  expect(await w.restore('--without-ledger', '--apply')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Erasures and revocations made after the backup will be missing.'),
  })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).toContain('Quirina')
})

test('the ledger of another summit, in DATA_DIR or in the named file, erases nobody', async () => {
  await using w = await world()
  await make.participant(w, { first_name: 'Quirina' })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  await using other = await world()
  const sameId = await make.participant(other, { first_name: 'Benedikt' })
  expect(await other.run('participant', 'forget', String(sameId), '--apply')).toMatchObject({ code: 0, err: '' })
  const ledger = join(other.storage.dataDir, 'ledger')
  expect(await w.restore('--ledger', ledger, '--apply')).toMatchObject({
    code: 1,
    err: `${ledger} is the ledger of another summit. Nothing was restored.\n`,
  })
  const present = join(w.restored.DATA_DIR, 'ledger')
  await mkdir(w.restored.DATA_DIR, { recursive: true })
  await copyFile(ledger, present)
  expect(await w.restore('--apply')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`The ledger in ${present} has 2 lines of another summit, which are not repeated.\n`),
  })
  expect((await runSummitInProcess(['export', 'participants'], w.restored)).out).toContain('Quirina')
  // Nor does it get into the backups of this one.
  expect(await runSummitInProcess(['backup', '--ledger'], w.restored)).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(w.restored.BACKUP_TO, 'backups', 'ledger'))).toEqual([expect.stringMatching(/^00000000-/)])
})

test('entries of a newer version are copied as they are, and a restore says that they are not repeated', async () => {
  await using w = await world()
  await make.participant(w, { first_name: 'Quirina' })
  expect(await w.run('backup')).toMatchObject({ code: 0, err: '' })
  const ledger = join(w.storage.dataDir, 'ledger')
  const revokeAnother = async () => {
    const { id } = await w.issueKey('bearer', noParticipant, ['owner'])
    expect(await w.run('key', 'revoke', String(id))).toMatchObject({ code: 0, err: '' })
    expect(await w.run('backup', '--ledger')).toMatchObject({ code: 0, err: '' })
  }
  await revokeAnother()
  const { summit } = (await readLedgerFile(w.storage.dataDir))?.[0] ?? {}
  const line = JSON.stringify({ summit, later: [1], kind: 'badge.revoked', record: 1 })
  await appendFile(ledger, `${line}\n`)
  await revokeAnother()
  await rm(ledger)
  await revokeAnother()
  expect(await w.restore('--apply')).toMatchObject({
    code: 0,
    out: expect.stringContaining('The ledger has 1 line of a newer version of Summit, which this one cannot repeat.'),
  })
  const lines = (await readFile(join(w.restored.DATA_DIR, 'ledger'), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines).toContain(line)
})

test('a restore shows neither contacts withdrawn since the backup nor participants who left the directory', async () => {
  await using w = await world()
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

test('a restore ends codes and retries of those who were signing in', async () => {
  await using w = await world()
  const quirina = (await make.participant(w, { first_name: 'Quirina' })) as ParticipantId
  const key = await w.issueKey('bearer', noParticipant, ['owner'])
  const session = await w.issueKey('session', noParticipant, ['owner'])
  const stay = [`credential ${key.id} retried`, `participant ${quirina} retried`]
  const browser = { browser_sha256: 'x', network: '', code_hmac: 'x' }
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
