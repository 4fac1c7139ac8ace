import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { documentedSteps, outputPattern, runCurl } from '../../../../test/documented-steps.ts'
import { inCommand } from '../../../../test/in-command.ts'
import type { Client } from '../../../client/client.ts'
import { addEvent } from '../program/events.ts'
import { addRecord, updateRecord } from '../program/records.ts'
import { recordRevision } from '../revisions/record-revision.ts'

// What attendees read of changes.

/** An editor and an attendee of a summit with two rooms, two speakers and a session that is published. */
async function startPublished() {
  const t = await startAppWithKeys('members')
  await inCommand(t, async (scope) => {
    await addRecord(scope, 'conference', { title: 'Summit', time_zone: 'Europe/Berlin' })
    for (const name of ['Hall 1', 'Hall 2']) await addRecord(scope, 'room', { name, building: null })
    for (const name of ['Eva Núñez', 'Kofi Mensah']) await addRecord(scope, 'speaker', { name })
  })
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const slot = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00', room_id: 1 }
  const id = Number((await editor.createEvent({ title: 'Small boats', ...slot })).event.id)
  await editor.publish({ note: 'Welcome' })
  /** Changes the session and publishes it. */
  const change = async (values: Omit<Parameters<Client['updateEvent']>[0], 'id' | 'revision'>, note = '') => {
    const { event } = await editor.getDraftEvent({ id })
    await editor.updateEvent({ id, revision: event.revision, ...values })
    return Number((await editor.publish({ note })).revision_id)
  }
  const read = async (page = { offset: 0, limit: 100 }) => (await t.ana.client.listReleases(page)).releases
  const renameRoom = (id: number, name: string) =>
    inCommand(t, (scope) => {
      const write = async () => {
        await updateRecord(scope, 'room', id, { name })
        return id
      }
      return recordRevision(scope, { kind: 'edit', command: 'updateRooms' }, [{ kind: 'room', id, write }])
    })
  return { ...t, editor, id, change, read, renameRoom }
}

const nothing = { note: '', is_undone: false, is_first: false, events: [], rooms: [], tracks: [] }

test('before a publication, an editor reads what attendees will read of it', async () => {
  await using t = await startPublished()
  const plan = async () => (await t.editor.planPublication({})).release
  const { event } = await t.editor.createEvent({ title: 'Knots' })
  const { revision } = (await t.editor.getDraftEvent({ id: t.id })).event
  await t.editor.updateEvent({ id: t.id, revision, title: 'Large boats', room_id: 2, description: '<p>Oars</p>' })
  const planned = await plan()
  expect(planned.events).toMatchObject([
    { event_id: '1', title: 'Large boats', changes: ['moved', 'retitled'], to: { room: 'Hall 2' } },
    { event_id: event.id, title: 'Knots', changes: ['new'] },
  ])
  await t.editor.publish({})
  expect((await t.read())[0]).toMatchObject(planned)
  expect(await plan()).toEqual({ is_first: false, events: [] })
  const { revision: newest } = (await t.editor.getDraftEvent({ id: t.id })).event
  await t.editor.deleteEvent({ id: t.id, revision: newest })
  expect(await plan()).toEqual({ is_first: false, events: [] })
})

test('the plan of the first publication is that the program is new', async () => {
  await using t = await startAppWithKeys('members')
  const { client } = await t.issueKey({ roles: ['editor'] })
  await client.createEvent({ title: 'Knots' })
  expect((await client.planPublication({})).release).toEqual({ is_first: true, events: [] })
})

test('attendees read when a session moves, from where to where, with names as they are by now', async () => {
  await using t = await startPublished()
  await t.change({ starts_at: '2030-05-03 14:00', room_id: 2 }, 'Hall 1 leaks')
  await t.change({ title: 'Large boats', speaker_ids: [1], is_cancelled: true })
  await t.renameRoom(2, 'The Lounge')
  const [renamed, changed, moved, first, ...others] = await t.read()
  const title = 'Large boats'
  const rooms = [{ id: '2', from: 'Hall 2', to: 'The Lounge' }]
  expect(renamed).toEqual({ ...nothing, id: '7', at: '2030-05-01T11:00:00+02:00', rooms })
  expect(changed?.events).toEqual([{ event_id: '1', title, changes: ['cancelled', 'retitled', 'speakers'] }])
  const from = { starts_at: '2030-05-02T09:00:00+02:00', ends_at: '2030-05-02T10:00:00+02:00', room: 'Hall 1' }
  const to = { starts_at: '2030-05-03T14:00:00+02:00', ends_at: '2030-05-03T15:00:00+02:00', room: 'The Lounge' }
  expect(moved?.events).toEqual([{ event_id: '1', title, changes: ['moved'], from, to }])
  expect(moved?.note).toBe('Hall 1 leaks')
  expect(first).toMatchObject({ ...nothing, id: '2', note: 'Welcome', is_first: true })
  expect(others).toEqual([])
  expect(await t.read({ offset: 1, limit: 2 })).toEqual([changed, moved])
  expect(await t.read({ offset: 1, limit: 0 })).toEqual([])
})

test('sessions that are added later are named, and a note alone is shown', async () => {
  await using t = await startPublished()
  await t.editor.createEvent({ title: 'Knots' })
  await t.editor.createEvent({ title: 'Sails' })
  await t.editor.publish({})
  await t.change({ description: '<p>Bring gloves.</p>' }, 'Please read what to bring')
  await t.change({ description: '<p>Bring boots.</p>' })
  expect((await t.read()).slice(0, -1)).toMatchObject([
    { ...nothing, note: 'Please read what to bring' },
    {
      events: [
        { title: 'Knots', changes: ['new'] },
        { title: 'Sails', changes: ['new'] },
      ],
    },
  ])
})

test('a publication that is undone stays, without its note, and so does that it was undone', async () => {
  await using t = await startPublished()
  const revision = await t.change({ starts_at: '2030-05-03 14:00' }, 'By mistake')
  await t.editor.undoRevision({ id: revision })
  const [back, moved] = await t.read()
  expect(moved).toMatchObject({ id: String(revision), note: '', is_undone: true, events: [{ changes: ['moved'] }] })
  expect(back).toMatchObject({ note: '', is_undone: false })
  expect(back?.events).toEqual([{ ...moved?.events[0], from: moved?.events[0]?.to, to: moved?.events[0]?.from }])
})

test('nothing is read of a session that is not public any more, nor of a room that no session shows', async () => {
  await using t = await startPublished()
  await t.change({ title: 'Secret boats' }, 'A surprise')
  await t.renameRoom(1, 'The secret hall')
  await t.editor.createEvent({ title: 'Knots' })
  await t.editor.publish({})
  const { event } = await t.editor.getDraftEvent({ id: t.id })
  await t.editor.deleteEvent({ id: t.id, revision: event.revision })
  await t.editor.publish({ note: 'One session had to go' })
  const releases = await t.read()
  expect(releases).toMatchObject([
    { ...nothing, note: 'One session had to go' },
    { events: [{ title: 'Knots', changes: ['new'] }] },
    { is_first: true },
  ])
  expect(JSON.stringify(releases)).not.toMatch(/boats|hall|surprise/i)
})

test('a name that a room or track had before anybody could see it stays unknown', async () => {
  await using t = await startPublished()
  await t.renameRoom(2, 'Hall of the secret guest')
  await t.renameRoom(2, 'Hall 2')
  const { tracks } = await t.editor.setTracks({ revision: 0, tracks: [{ name: 'Secret' }] })
  await t.editor.setTracks({ revision: tracks.revision, tracks: [{ id: 1, name: 'Boats' }] })
  await t.change({ room_id: 2, track_id: 1 })
  await t.renameRoom(2, 'The Lounge')
  const releases = await t.read()
  expect(releases).toMatchObject([
    { rooms: [{ from: 'Hall 2', to: 'The Lounge' }] },
    { events: [{ changes: ['moved'] }], tracks: [] },
    { is_first: true },
  ])
  expect(JSON.stringify(releases)).not.toMatch(/secret/i)
})

test('a program that is not public any more has no releases', async () => {
  await using t = await startPublished()
  await t.editor.undoRevision({ id: 2 })
  expect(await t.read()).toEqual([])
  // The first again.
  await t.editor.publish({})
  expect(await t.read()).toMatchObject([
    { is_first: true, is_undone: false },
    { is_first: true, is_undone: true },
  ])
})

test('no name of a speaker is in a release, nor in what is stored of it', async () => {
  await using t = await startPublished()
  await t.change({ speaker_ids: [1] })
  await t.change({ speaker_ids: [2, 1] })
  const stored = await t.ctx.database.read.selectFrom('revision').select('notes').execute()
  const releases = await t.read()
  expect(releases.map(({ events }) => events[0]?.changes)).toEqual([['speakers'], ['speakers'], undefined])
  for (const texts of [stored, releases]) expect(JSON.stringify(texts)).not.toMatch(/Eva|Kofi/)
})

test('an import of a program says that it is published, and one of more sessions names them', async () => {
  await using t = await startAppWithKeys('public')
  const importEvents = (titles: string[]) =>
    inCommand(t, (scope) =>
      recordRevision(
        scope,
        { kind: 'import', command: 'import program' },
        titles.map((title) => ({ kind: 'event', id: undefined, write: () => addEvent(scope, { title }, []) })),
      ),
    )
  await importEvents(['Opening', 'Closing'])
  await importEvents(['Dinner'])
  expect((await t.client.listReleases({ offset: 0, limit: 10 })).releases).toMatchObject([
    { is_first: false, events: [{ title: 'Dinner', changes: ['new'] }] },
    { is_first: true, events: [] },
  ])
})

test('the commands in the API guide publish a session, move it and undo that', async () => {
  await using t = await startAppWithKeys('members')
  const { authorization = '' } = (await t.issueKey({ roles: ['editor'] })).headers
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8')
  const [, text = ''] = guide.split('\n## Editing the program\n')
  const steps = documentedSteps(text.split(/\n##/)[0] ?? '')
  expect(steps).toHaveLength(8)
  for (const { command, output } of steps) {
    const adapted = command.replace('http://127.0.0.1:3000', t.url).replace('Bearer smt_…', authorization)
    expect(await runCurl(adapted)).toMatch(outputPattern(output))
  }
})
