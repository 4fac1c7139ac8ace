import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../test/access/app-with-keys.ts'
import { createTestStorage, startOtherServer, startTestApp, startTestAppOn, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createKey } from '../server/auth/keys.ts'
import { HmacKey } from '../server/core/hmac-key.ts'
import { noParticipant } from '../server/core/ids.ts'
import { explain } from '../server/lifecycle/start/explain.ts'
import { summitFingerprint } from '../server/log/ledger/summit-fingerprint.ts'
import { commandScope } from '../server/scope.ts'
import type { Row } from '../server/storage/db/tables.ts'
import { AUDIT_KEY, changesOf, startAppWithChanges, verify } from './audit.fixtures.ts'

test('changes removed at the end are found by the head in a backup, which a restored backup satisfies', async () => {
  await using t = await startTestApp({ AUDIT_KEY })
  await make.participant(t)
  for (const name of ['Two', 'Three', 'Four', 'Five']) await make.topic(t, { name })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const BACKUP_TO = join(folder.path, 'backups')
  const settings = { AUDIT_KEY, BACKUP_TO }
  const run = (...args: string[]) => runSummitInProcess(args, { ...t.settings, ...settings })
  expect(await run('backup')).toMatchObject({ code: 0, err: '' })
  const verified = await run('backup', 'verify')
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('The chain of 5 changes is intact.\n') })
  await make.topic(t, { name: 'Later' })
  expect(await run('backup')).toMatchObject({ code: 0, err: '' })

  const older = /(\d{8}t\d{6}z-[0-9a-f]{8})/.exec(verified.out)?.[1] ?? ''
  const restored = { DATA_DIR: join(folder.path, 'restored'), ...settings }
  expect(await runSummitInProcess(['restore', '--id', older, '--apply'], restored)).toMatchObject({ code: 0, err: '' })
  expect(await runSummitInProcess(['audit', 'verify'], restored)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Compared with 2 recorded heads'),
  })

  await t.ctx.database.transaction((db) => db.deleteFrom('change').where('id', '>', 4).execute())
  expect((await run('audit', 'verify')).out).toMatch(/Change 5 is missing, which the backup .* recorded/)
})

test('the chain of the log is intact after writes of several processes, of which some fail in a shared commit', async () => {
  await using t = await startTestApp({ AUDIT_KEY })
  await using other = await startOtherServer(t)
  await make.participant(t)
  await make.topic(t)
  const writes = [t.client, other.client].flatMap((client) =>
    [1, 99, 1, 1, 99, 1].map((topic_id) => client.call('createComment', { topic_id, created_by: 1, comment: 'x' })),
  )
  await Promise.all(writes)
  await runSummitInProcess(['participant', 'forget', '1', '--apply'], { ...t.settings, AUDIT_KEY })
  const ids = (await changesOf(t)).map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, index) => index + 1))
  expect(await verify(t)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(
      new RegExp(`^Verified: ${ids.length} changes, up to change ${ids.length} with the hash [0-9a-f]{16}…\\.\n`),
    ),
  })
})

/** A change as sealed up to 0.2.0: its columns with spaces between them. */
const hashedBefore = (before: string, { id, at, kind, record_id, parent_id, actor_id, ...rest }: Row<'change'>) =>
  HmacKey.fromHex(AUDIT_KEY).digest(
    `${before} ${id} ${at} ${kind} ${record_id} ${parent_id} ${actor_id} ${rest.credential_id} ${rest.request_id}`,
  )

/** Seals the log again as 0.2.0 did, from a change on. */
const sealAsBefore = (t: TestApp, from = 1) =>
  t.ctx.database.transaction(async (db) => {
    let before = ''
    for (const change of await db.selectFrom('change').selectAll().orderBy('id').execute()) {
      const hash = change.id < from ? change.hash : hashedBefore(before, change)
      await db.updateTable('change').set({ hash }).where('id', '=', change.id).execute()
      before = hash
    }
  })

/** Moves the values of a change's columns across the spaces between them, which leaves the text of 0.2.0 the same. */
const shift = ({ kind, record_id, parent_id, actor_id, credential_id, request_id }: Row<'change'>) => {
  const [number = '', ...words] = request_id.split(' ')
  return {
    kind: `${kind} ${record_id}`,
    record_id: parent_id as number,
    parent_id: actor_id as number,
    actor_id: credential_id as never,
    credential_id: Number(number),
    request_id: words.join(' '),
  }
}

/** A command whose name in the log begins with a number. */
const createKeyByCommand = (t: TestApp) =>
  t.ctx.database.transaction((tx) =>
    createKey(commandScope(t.ctx, tx, '7 of 9'), {
      ...{ label: 'Script', participant: noParticipant, roles: ['reader'], expiresAt: 0 },
    }),
  )

test.each([
  ['since then', () => Promise.resolve()],
  ['by 0.2.0', sealAsBefore],
])('a change sealed %s does not verify with values moved from column to column', async (_, seal) => {
  await using t = await startAppWithChanges()
  await createKeyByCommand(t)
  await seal(t)
  expect(await verify(t)).toMatchObject({ code: 0, err: '' })
  const change = (await changesOf(t)).at(-1) as Row<'change'>
  const shifted = { ...change, ...shift(change) }
  expect(hashedBefore('x', shifted)).toBe(hashedBefore('x', change))
  await t.ctx.database.transaction((db) => db.updateTable('change').set(shifted).where('id', '=', change.id).execute())
  expect(await verify(t)).toMatchObject({ code: 1, out: expect.stringContaining(`Change ${change.id} does not match`) })
})

test('the chain of 0.2.0 is continued, and nothing after that is sealed as it was', async () => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage, { AUDIT_KEY })
    await make.participant(t)
    for (const name of ['Two', 'Three']) await make.topic(t, { name })
    await sealAsBefore(t)
  }
  {
    await using t = await startTestAppOn(storage, { AUDIT_KEY })
    await make.topic(t, { name: 'Four' })
    expect(await verify(t)).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Verified: 4 changes,/) })
  }
  await using t = await startTestAppOn(storage, { AUDIT_KEY })
  await make.topic(t, { name: 'Five' })
  await make.topic(t, { name: 'Six' })
  expect(await verify(t)).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Verified: 6 changes,/) })
  await sealAsBefore(t, 6)
  expect(await verify(t)).toMatchObject({ code: 1, out: expect.stringMatching(/^ {2}Change 6 does not match/m) })
})

test.each([0, -1, -Number.MAX_SAFE_INTEGER])(
  'a change with the id %i is found, and does not make another summit',
  async (id) => {
    await using t = await startAppWithChanges()
    const summit = await summitFingerprint(t.ctx.database.read)
    for (const hash of ['', 'a1'.repeat(32)]) {
      const forged = { id, at: 1, kind: 'topic.deleted', record_id: 1, hash }
      await t.ctx.database.transaction(async (db) => {
        await db.deleteFrom('change').where('id', '<', 1).execute()
        await db.insertInto('change').values(forged).execute()
      })
      const found = /^ {2}Inserted or altered: 1 change with an id below 1 /m
      expect(await verify(t)).toMatchObject({ code: 1, out: expect.stringMatching(found) })
      expect(await summitFingerprint(t.ctx.database.read)).toBe(summit)
    }
  },
)

test.each(['id', 'at', 'record_id', 'parent_id', 'actor_id', 'credential_id'])(
  'a change whose %s is no number that can be read is found',
  async (column) => {
    await using t = await startAppWithChanges()
    const originals = (await changesOf(t)).filter(({ id }) => id === 3)
    for (const number of ['9007199254740993', '-9007199254740993', '9223372036854775807']) {
      const alter = sql`update change set ${sql.ref(column)} = ${sql.raw(number)} where id = 3`
      await t.ctx.database.transaction((db) => alter.execute(db))
      const found = /^ {2}Inserted or altered: 1 change with an id below 1 or another value/m
      expect(await verify(t), number).toMatchObject({ code: 1, out: expect.stringMatching(found) })
      await t.ctx.database.transaction(async (db) => {
        await sql`delete from change where ${sql.ref(column)} = ${sql.raw(number)}`.execute(db)
        await db.insertInto('change').values(originals).execute()
      })
    }
  },
)

test.each([
  ['record_id', '9007199254740993'],
  ['at', '9000000000000000'],
])('a change whose %s is %s is not listed, and audit list says how many are not', async (column, number) => {
  await using t = await startAppWithChanges()
  const alter = sql`update change set ${sql.ref(column)} = ${sql.raw(number)} where id = 3`
  await t.ctx.database.transaction((db) => alter.execute(db))
  const { code, out, err } = await runSummitInProcess(['audit', 'list'], { ...t.settings, AUDIT_KEY })
  expect([code, out.match(/^ +\d+/gm)?.map(Number)]).toEqual([1, [5, 4, 2, 1]])
  expect(err).toMatch(
    /^Not listed, as inserted or altered: 1 change with an id below 1 or another value that no server writes\. .* audit verify\n$/,
  )
})

test('a start, a backup and audit list name the command that finds a number that cannot be read', async ({ skip }) => {
  await using storage = await createTestStorage()
  skip('DATABASE_URL' in storage.settings, 'there, such a number is rounded')
  {
    await using t = await startTestAppOn(storage)
    await make.participant(t)
    await t.ctx.database.transaction((db) => sql`update change set at = 9007199254740993`.execute(db))
  }
  const found = /^Inserted or altered: a row of the database has a number that no server writes\. .* audit verify\n?$/
  for (const args of [
    ['audit', 'list'],
    ['backup', join(storage.dataDir, '..', 'backups')],
  ])
    expect((await runSummitInProcess(args, storage.settings)).err).toMatch(found)
  const started = startTestAppOn(storage).then(() => 'started', explain)
  expect(await started).toMatch(found)
})

test('a log whose hashes were taken off is not called intact', async () => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage, { AUDIT_KEY })
    await make.participant(t)
    await make.topic(t)
  }
  // As somebody can who writes in DATA_DIR without the key.
  {
    await using t = await startTestAppOn(storage, { AUDIT_KEY })
    await t.ctx.database.transaction((db) =>
      db
        .updateTable('change')
        .set({ hash: '', actor_id: 0 as never })
        .execute(),
    )
  }
  const { out } = await verify(storage)
  expect(out).toContain(
    'Not sealed: the first 2 changes, from before the log had a key or with their hashes taken off.',
  )
  expect(out).toContain('nothing shows whether they were altered')
  expect(out).not.toContain('is intact')
})

test('the chain of an older log begins with its next change', async () => {
  await using t = await startAppWithChanges()
  await t.ctx.database.transaction((db) => db.updateTable('change').set({ hash: '' }).execute())
  await make.topic(t, { name: 'Sealed' })
  expect(await verify(t)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Verified: 1 change, up to change 6 .*\nNot sealed: the first 5 changes, from before/),
  })
})

test('the log says which organizer wrote in the name of a participant', async () => {
  await using t = await startAppWithKeys('members', { AUDIT_KEY })
  const moderator = await t.issueKey({ roles: ['moderator'] })
  const { NewsFeed } = await moderator.client.createTopic({ name: 'For Ana', created_by: t.ana.participant })
  await t.ana.client.likeTopic({ topic_id: Number(make.only(NewsFeed).id), created_by: t.ana.participant })
  const list = async (...args: string[]) =>
    (await runSummitInProcess(['audit', 'list', ...args], { ...t.settings, AUDIT_KEY })).out.trimEnd().split('\n')

  expect(make.only(await list('--credential', String(moderator.id)))).toMatch(
    new RegExp(
      `^ +\\d+ {2}2030-05-01 09:00:00 {2}topic\\.created .*record 1 {2}in the name of participant ${t.ana.participant} {2}with credential ${moderator.id} {2}request `,
    ),
  )
  expect(await list('--actor', String(t.ana.participant))).toHaveLength(2)
  expect((await list('--kind', 'credential')).length).toBe(4)
  expect(make.only(await list('--kind', 'topic.liked'))).toContain(`with credential ${t.ana.id}  `)
  expect(await list('--since', '2030-05-02')).toEqual([''])
  expect(await runSummitInProcess(['audit', 'list', '--kind', 'x'], t.settings)).toMatchObject({ code: 1 })
  expect(await runSummitInProcess(['audit', 'list', '--since', 'now'], t.settings)).toMatchObject({ code: 1 })
  expect(await verify(t)).toMatchObject({ code: 0, err: '' })
})

test('a log that is sealed is not continued without its key, and one without a key says so', async () => {
  await using storage = await createTestStorage()
  const isServer = 'DATABASE_URL' in storage.settings
  const another = {
    DATA_DIR: join(storage.dataDir, 'another'),
    ...(isServer && { DATABASE_URL: storage.settings.DATABASE_URL }),
  }
  if (!isServer) return
  {
    await using t = await startTestAppOn(storage)
    await make.participant(t)
    expect((await verify(t, {})).err).toMatch(/^The change log is not sealed: there is no key\. Set AUDIT_KEY/)
  }
  {
    await using t = await startTestAppOn(storage, { AUDIT_KEY })
    await make.participant(t)
  }
  await expect(startTestAppOn({ ...storage, settings: another as never })).rejects.toThrow('Set AUDIT_KEY to it')
  expect((await verify({ settings: another as never }, {})).err).toContain('its key is missing here')
})
