import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { signInAsOrganizer } from '../../../../test/access/sessions.ts'
import { startOtherServer } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { createClient } from '../../../client/client.ts'
import { roles } from '../../../contract/access.ts'
import { startWithEditor } from '../editing/editing.fixtures.ts'

// The state of a summit, as organizers read it before it begins.

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
