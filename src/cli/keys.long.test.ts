import { mkdir, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { setLogin } from '../../test/access/codes.ts'
import { members } from '../../test/access/login-emails.ts'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createClient } from '../client/client.ts'
import type { ParticipantId } from '../server/core/ids.ts'
import { ledgerFileIn } from '../server/log/ledger/ledger-file.ts'

test('while the ledger cannot be written, an operator ends keys and organizers, and is told what to do', async () => {
  await using t = await startTestApp(members)
  const run = (...args: string[]) => runSummitInProcess(args, { ...t.settings, ...members })
  await run('key', 'create', 'lost phone', '--role', 'reader')
  for (const name of ['eva', 'mo']) await run('organizer', 'invite', `${name}@x.org`, '--role', 'owner')
  const ledger = ledgerFileIn(t.dataDir)
  await rm(ledger, { force: true })
  await mkdir(ledger)
  const warning =
    `WARNING: The change was made, but its line is missing from ${ledger}: it is a folder. ` +
    'Until the line is there, restoring an older backup undoes the change. Correct that file. A running server then adds ' +
    'the line within 5 seconds, and otherwise the next start: npm run summit -- serve\n'
  expect(await run('key', 'revoke', '1')).toEqual({ code: 1, out: 'Key 1 is revoked.\n', err: warning })
  expect(await run('organizer', 'remove', 'mo@x.org')).toEqual({
    code: 1,
    out: 'mo@x.org is no longer an organizer.\n',
    err: warning,
  })
  expect((await run('key', 'list')).out).toContain('REVOKED')
  expect((await run('organizer', 'list')).out).toMatch(/^1 organizer\n/)
})

test('a key with roles ends what the desk has given its participant to sign in with, and says so', async () => {
  await using t = await startTestApp(members)
  const id = (await make.participant(t)) as ParticipantId
  await setLogin(t, id, 'ana@x.org')
  await t.ctx.database.transaction((db) => db.updateTable('login').set({ from_desk: 1 }).execute())
  const run = (...args: string[]) =>
    runSummitInProcess(['key', 'create', 'editor', '--participant', String(id), ...args], {
      ...t.settings,
      ...members,
    })
  expect((await run()).out).not.toContain('has ended')
  const { out } = await run('--role', 'editor')
  expect(out).toContain('What organizers other than owners had given the participant to sign in with has ended')
  expect(await t.ctx.database.read.selectFrom('login').selectAll().execute()).toEqual([])
  expect((await run('--role', 'editor')).out).not.toContain('has ended')
})

test('an operator creates the secret URL of a participant and of an app, prints each once, and revokes it', async () => {
  await using t = await startTestApp(members)
  await setLogin(t, (await make.participant(t)) as ParticipantId, 'ana@x.org')
  const run = (...args: string[]) => runSummitInProcess(args, { ...t.settings, ...members })
  const pathIn = (out: string) => /^ {2}https:\/\/summit\.example(\/k\/smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''
  const created = [
    await run('participant', 'link', 'ana@x.org', '--expires-in', '9000d'),
    await run('key', 'create', 'phones', '--app'),
    await run('key', 'create', 'kiosk', '--app', '--may-change'),
  ]
  expect(created.map(({ code, err }) => [code, err])).toEqual(created.map(() => [0, '']))
  expect(created[0]?.out).toContain('Key 1, the secret URL of participant 1 (Ana Cruz):\n')
  expect(created[2]?.out).toContain('Key 3, “kiosk”, for an app that may change and delete records:\n')
  const clients = created.map(({ out }) => createClient(t.url + pathIn(out)))
  const codes = () =>
    Promise.all(clients.map((client) => make.codeOf(client.call('listTopics', { offset: 0, limit: 1 }))))
  expect(await codes()).toEqual([1000, 1000, 1000])
  const { out } = await run('key', 'list')
  expect(out).toMatch(/^ {4}3 {2}kiosk {2}secret URL of an app {2}change {2}created /m)
  expect(out).toMatch(/^ {4}2 {2}phones {2}secret URL of an app {2}created .* {2}0 changes$/m)
  expect(out).toMatch(/^ {4}1 {2}secret URL {2}secret URL of participant 1 {2}created .* {2}expires /m)
  const ben = await make.participant(t)
  for (const name of ['Lunch', 'Dinner']) await clients[1]?.createTopic({ name, created_by: ben })
  expect((await run('key', 'list')).out).toMatch(/^ {4}2 {2}phones .* {2}2 changes$/m)
  expect(await run('key', 'revoke', '2')).toMatchObject({ code: 0, err: '' })
  expect(await codes()).toEqual([1000, 4010, 1000])
})

test('where anyone may do anything, there are no secret URLs', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  for (const args of [
    ['participant', 'link', '1'],
    ['key', 'create', 'x', '--app'],
  ]) {
    const { code, err } = await runSummitInProcess(args, t.settings)
    expect([code, err]).toEqual([1, expect.stringContaining('With ACCESS=open there are no secret URLs')])
  }
  expect((await runSummitInProcess(['key', 'list'], t.settings)).out).toBe('0 keys\n')
})

test('where anyone may do anything, creating a key says whether the server accepts it', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  const create = (...args: string[]) => runSummitInProcess(['key', 'create', 'early', ...args], t.settings)
  const warning = 'With ACCESS=open the server accepts only keys with a role'
  expect((await create('--participant', '1')).out).toContain(warning)
  const { out } = await create('--role', 'owner')
  expect(out).not.toContain(warning)
  const client = createClient(t.url, { headers: { authorization: `Bearer ${/smt_\S{43}/.exec(out)?.[0]}` } })
  expect(await client.listOrganizers({})).toEqual({ organizers: [] })
})
