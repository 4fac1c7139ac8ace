import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { signInAsOrganizer } from '../../../../test/access/sessions.ts'
import { startOtherServer } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { createClient } from '../../../client/client.ts'
import { roles } from '../../../contract/access.ts'
import { hourMs } from '../../core/time-units.ts'
import { startWithEditor } from '../editing/editing.fixtures.ts'
import { apply, boats, csv, opening } from '../import/by-request/import-program.fixtures.ts'
import { recordNewestBackup } from './newest-backup.ts'

// The state of a summit, as organizers read it before it begins.

const today = Date.parse('2030-05-01T09:00:00Z')

test('every organizer reads it in every mode, and nobody else does', async () => {
  await using t = await startAppWithKeys('members')
  await using open = await startOtherServer(t, { access: 'open' })
  const { headers } = await signInAsOrganizer(t, 'eva@summit.example', ['reader'])
  for (const [server, mode] of [
    [t, 'members'],
    [open, 'open'],
  ] as const) {
    const senders = await Promise.all(roles.map((role) => t.issueKey({ roles: [role] })))
    for (const sent of [headers, ...senders.map((sender) => sender.headers)]) {
      const { overview } = await createClient(server.url, { headers: sent }).readOverview({})
      expect(overview).toMatchObject({ participants: 2, access: { mode } })
    }
    expect(await make.codeOf(createClient(server.url).call('readOverview', {}))).toBe(4010)
  }
  expect(await make.codeOf(t.ana.client.call('readOverview', {}))).toBe(4030)
  expect(await make.codeOf(createClient(open.url, { headers: t.ana.headers }).call('readOverview', {}))).toBe(4010)
})

test('an empty summit has nothing, and no backup is known', async () => {
  await using t = await startAppWithKeys('members')
  expect((await t.owner.client.readOverview({})).overview).toEqual({
    conference: {
      ...{ title: '', first_day: null, last_day: null, has_days: false },
      ...{ time_zone: 'UTC', has_time_zone: false },
    },
    program: {
      ...{ events: 0, published: 0, new: 0, changed: 0, removed: 0, cancelled: 0 },
      ...{ without_time: 0, without_room: 0, clashes: 0 },
      ...{ rooms: 0, rooms_without_name: 0, tracks: 0, speakers: 0, linked_photos: 0 },
    },
    participants: 2,
    mail: { can_send: false, signs_in_participants: false },
    access: { mode: 'members', public_url: 'https://summit.example', is_encrypted: true, is_local: false },
    backup: { has_location: false, every_minutes: null, newest: null, is_late: null },
  })
})

test('it counts the program as editors see it, after each edit and publication', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const read = async () => (await editor.readOverview({})).overview
  const program = async () => (await read()).program
  const { rooms } = await editor.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }] })
  const room_id = Number(rooms.list[0]?.id)
  await editor.setTracks({ revision: 0, tracks: [{ name: 'Hardware' }] })
  const { speaker } = await editor.createSpeaker({ name: 'Ana Cruz' })
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('speaker').set({ photo: 'https://elsewhere.example/ana.jpg' }).execute(),
  )
  const create = async (members: Parameters<typeof editor.createEvent>[0]) =>
    Number((await editor.createEvent(members)).event.id)
  const boats = await create({ title: 'Boats', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00', room_id })
  const knots = await create({ title: 'Knots', speaker_ids: [Number(speaker.id)] })
  expect(await read()).toMatchObject({
    conference: { first_day: '2030-05-02', last_day: '2030-05-02', has_days: false },
    program: {
      ...{ events: 2, published: 0, new: 2, changed: 0, removed: 0, cancelled: 0 },
      ...{ without_time: 1, without_room: 1, clashes: 0 },
      ...{ rooms: 1, rooms_without_name: 0, tracks: 1, speakers: 1, linked_photos: 1 },
    },
  })

  await editor.publish({})
  expect(await program()).toMatchObject({ published: 2, new: 0 })
  const revisionOf = async (id: number) => (await editor.getDraftEvent({ id })).event.revision
  await editor.updateEvent({
    ...{ id: knots, revision: await revisionOf(knots), room_id },
    ...{ starts_at: '2030-05-02 09:30', ends_at: '2030-05-02 10:30' },
  })
  expect(await program()).toMatchObject({ changed: 1, without_time: 0, without_room: 0, clashes: 1 })
  await editor.updateEvent({ id: knots, revision: await revisionOf(knots), is_cancelled: true })
  expect(await program()).toMatchObject({ changed: 1, cancelled: 1, clashes: 0 })
  await editor.deleteEvent({ id: boats, revision: await revisionOf(boats) })
  expect(await program()).toMatchObject({ events: 1, published: 2, changed: 1, removed: 1, cancelled: 1 })
  await editor.publish({})
  expect(await program()).toMatchObject({ events: 1, published: 1, changed: 0, removed: 0, cancelled: 1 })
})

test('an import that is published at once and one that is a draft are counted alike, but for what attendees see', async () => {
  await using t = await startWithEditor()
  const program = async () => (await t.editor.readOverview({})).overview.program
  await apply(t.editor, csv(opening))
  expect(await program()).toMatchObject({ events: 1, published: 1, new: 0, rooms: 1, tracks: 1, speakers: 1 })
  await apply(t.editor, csv(opening.replace('Hall', ''), boats), { draft: true })
  expect(await program()).toMatchObject({
    ...{ events: 2, published: 1, new: 1, changed: 1, without_room: 1 },
    ...{ rooms: 2, tracks: 2, speakers: 2 },
  })
})

test('a room of which only the address is known has no name', async () => {
  await using t = await startWithEditor()
  await t.editor.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }, { name: 'Hall 2' }] })
  // As of events of an older summit.
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('room').set({ name: '', address: 'Pier 1' }).where('name', '=', 'Hall 2').execute(),
  )
  expect((await t.editor.readOverview({})).overview.program).toMatchObject({ rooms: 2, rooms_without_name: 1 })
})

test('it says what was set of the conference', async () => {
  await using t = await startWithEditor()
  await t.editor.updateConference({
    ...{ revision: 0, title: 'Summit', time_zone: 'Europe/Berlin' },
    ...{ first_day: '2030-05-02', last_day: '2030-05-04' },
  })
  expect((await t.editor.readOverview({})).overview.conference).toEqual({
    ...{ title: 'Summit', first_day: '2030-05-02', last_day: '2030-05-04', has_days: true },
    ...{ time_zone: 'Europe/Berlin', has_time_zone: true },
  })
})

test.each([
  [
    { publicUrl: undefined, host: '127.0.0.1' },
    { public_url: null, is_encrypted: false, is_local: true },
  ],
  [
    { publicUrl: undefined, host: '0.0.0.0' },
    { public_url: null, is_encrypted: false, is_local: false },
  ],
  [{ publicUrl: 'http://localhost:3000' }, { is_encrypted: false, is_local: true }],
  [{ publicUrl: 'http://10.0.0.7' }, { is_encrypted: false, is_local: false }],
])('with %o, the access is %o', async (settings, access) => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t, settings)
  const { overview } = await createClient(other.url, { headers: t.owner.headers }).readOverview({})
  expect(overview.access).toMatchObject(access)
})

test('with a mail server, participants sign in by mail, except where ACCESS is open', async () => {
  await using t = await startAppWithKeys('members', {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'summit@summit.example',
  })
  await using open = await startOtherServer(t, { access: 'open' })
  const mailOf = async (url: string) =>
    (await createClient(url, { headers: t.owner.headers }).readOverview({})).overview.mail
  expect(await mailOf(t.url)).toEqual({ can_send: true, signs_in_participants: true })
  expect(await mailOf(open.url)).toEqual({ can_send: true, signs_in_participants: false })
})

test('a backup is late two hours after the next was due, and not known while it is dated in the future', async () => {
  await using t = await startAppWithKeys('members')
  const to = { kind: 'folder', dir: '/var/backups/summit' } as const
  await using server = await startOtherServer(t, { backup: { to, everyMs: 6 * hourMs, key: undefined } })
  const { readOverview } = createClient(server.url, { headers: t.owner.headers })
  const backup = async () => (await readOverview({})).overview.backup
  expect(await backup()).toEqual({ has_location: true, every_minutes: 360, newest: null, is_late: null })
  const made = { createdAt: today + hourMs, durationMs: 1_500, bytes: 4_096 }
  await inCommand(t, ({ db }) => recordNewestBackup(db, made))
  expect(await backup()).toMatchObject({ newest: null, is_late: null })
  t.advance(hourMs)
  expect(await backup()).toMatchObject({
    newest: { made_at: '2030-05-01 10:00:00', verified_at: '2030-05-01 10:00:01', bytes: 4_096 },
    is_late: false,
  })
  t.advance(8 * hourMs)
  expect(await backup()).toMatchObject({ is_late: false })
  t.advance(1)
  expect(await backup()).toMatchObject({ newest: { bytes: 4_096 }, is_late: true })
})
