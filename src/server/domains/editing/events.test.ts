import { expect, test } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import type { Client } from '../../../client/client.ts'
import type { EventId } from '../../core/ids.ts'
import { type Tables, tableNames } from '../../storage/db/tables.ts'
import { addRecord } from '../program/records.ts'
import { undoRevision } from '../revisions/undo.ts'
import { publishEvent, startWithEditor } from './editing.fixtures.ts'

// Editors change the program, and attendees see what they publish.

const titlesOf = async (client: Client) =>
  (await client.listEvents({ offset: 0, limit: 100 })).events.map(({ title }) => title)

const newest = async (editor: Client, id: number) => (await editor.getDraftEvent({ id })).event.revision

test('an editor creates a session, publishes it, moves it, and attendees see each when it is published', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const { event } = await editor.createEvent({
    title: 'Small boats',
    subtitle: 'A hands-on hour',
    description: '<p onclick="x()">All about <b>boats</b>.</p><script>x()</script>',
    starts_at: '2030-05-02 09:00',
    ends_at: '2030-05-02T10:30',
    tags: ['ropes'],
    links: [{ rel: '', title: 'Slides', url: 'https://summit.example/slides' }],
  })
  const id = Number(event.id)
  expect(event).toMatchObject({
    title: 'Small boats',
    description: '<p>All about <b>boats</b>.</p>',
    starts_at: '2030-05-02T09:00:00+00:00',
    ends_at: '2030-05-02T10:30:00+00:00',
    day: '2030-05-02',
    is_published: false,
    is_deleted: false,
    changes: [],
  })
  expect(await titlesOf(attendee)).toEqual([])
  await expect(attendee.getEvent({ id })).rejects.toMatchObject({ data: { reason: 'EVENT_NOT_FOUND' } })

  const { revision_id } = await editor.publish({ note: 'Welcome' })
  expect(revision_id).toBe('2')
  expect((await attendee.listEvents({ offset: 0, limit: 10 })).events).toMatchObject([
    {
      title: 'Small boats',
      date: { date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:30:00' },
      program: [{ date: '2030-05-02', activities: [{ title: 'Small boats', time: '09:00:00' }] }],
    },
  ])

  // Its length stays, and its day follows.
  const { event: moved } = await editor.updateEvent({ id, revision: 2, starts_at: '2030-05-03 14:00' })
  expect(moved).toMatchObject({
    starts_at: '2030-05-03T14:00:00+00:00',
    ends_at: '2030-05-03T15:30:00+00:00',
    day: '2030-05-03',
    is_published: true,
    changes: ['starts_at', 'ends_at', 'day', 'activities'],
  })
  const before = (await attendee.getScheduleEvent({ id })).event
  expect(before.starts_at).toBe('2030-05-02T09:00:00+00:00')
  await editor.publish({ events: [id] })
  expect((await attendee.getScheduleEvent({ id })).event).toEqual({
    ...before,
    starts_at: '2030-05-03T14:00:00+00:00',
    ends_at: '2030-05-03T15:30:00+00:00',
    day: '2030-05-03',
  })
  expect(await editor.publish({})).toEqual({ revision_id: null })
})

test('two editors change one session: the second is told what there is now', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const id = Number((await editor.createEvent({ title: 'Boats' })).event.id)
  await editor.updateEvent({ id, revision: 1, title: 'Small boats' })
  const second = editor.updateEvent({ id, revision: 1, title: 'Large boats' })
  await expect(second).rejects.toMatchObject({
    data: {
      reason: 'EVENT_CHANGED',
      current: { event: { id: String(id), title: 'Small boats', revision: 2 } },
    },
  })
  await expect(editor.deleteEvent({ id, revision: 1 })).rejects.toMatchObject({ data: { reason: 'EVENT_CHANGED' } })
  await editor.updateEvent({ id, revision: 2, title: 'Large boats' })
  expect((await editor.getDraftEvent({ id })).event.title).toBe('Large boats')
})

test('an editor publishes and discards only what they have read, if they say what that was', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const [boats, knots] = [
    await publishEvent(editor, { title: 'Boats' }),
    await publishEvent(editor, { title: 'Knots', type: 'Talk' }),
  ]
  const change = async (id: number, values: { title: string }) =>
    editor.updateEvent({ id, revision: await newest(editor, id), ...values })
  await change(boats, { title: 'Small boats' })
  await change(knots, { title: 'Bends' })
  const revision = await newest(editor, knots)
  await change(boats, { title: 'Small' })

  for (const events of [{}, { events: [boats] }, { events: [knots, boats] }]) {
    const refused = { data: { reason: 'EVENT_CHANGED' } }
    await expect(editor.publish({ revision, ...events })).rejects.toMatchObject(refused)
    await expect(editor.discardDraft({ revision, ...events })).rejects.toMatchObject(refused)
  }
  expect(await titlesOf(attendee)).toEqual(['Boats', 'Knots'])

  // Events without a change since, and without a draft, are not refused.
  await editor.publish({ revision, events: [knots] })
  expect(await editor.publish({ revision, events: [knots] })).toEqual({ revision_id: null })
  expect(await titlesOf(attendee)).toEqual(['Boats', 'Bends'])
  await editor.publish({ revision: await newest(editor, boats) })
  expect(await titlesOf(attendee)).toEqual(['Small', 'Bends'])

  // Without a revision, all of it is meant.
  await change(boats, { title: 'Large boats' })
  await editor.discardDraft({})
  expect((await editor.getDraftEvent({ id: boats })).event).toMatchObject({ title: 'Small', changes: [] })
})

test('of an edit and a publication at the same moment, attendees never see what the publisher has not', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const id = await publishEvent(editor, { title: 'Boats' })
  for (let round = 1; round <= 8; round++) {
    const { revision } = (await editor.updateEvent({ id, revision: await newest(editor, id), title: `Read ${round}` }))
      .event
    const [edit, publication] = await Promise.allSettled([
      editor.updateEvent({ id, revision, title: `Half written ${round}` }),
      editor.publish({ revision }),
    ])
    // The first wins, and the second is told.
    expect([edit.status, publication.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await titlesOf(attendee)).not.toContain(`Half written ${round}`)
  }
})

test('a change is published in the same step, with what was not published before, and undone with it', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const id = await publishEvent(editor, { title: 'Boats', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00' })
  await editor.updateEvent({ id, revision: await newest(editor, id), title: 'Small boats' })
  const draft = await editor.getDraftEvent({ id })
  expect(draft).toMatchObject({
    event: { title: 'Small boats', changes: ['title', 'activities'] },
    published: { title: 'Boats' },
  })
  const { event } = await editor.updateEvent({
    ...{ id, revision: draft.event.revision },
    ...{ starts_at: '2030-05-02 11:00', publish: true },
  })
  expect(event).toMatchObject({ title: 'Small boats', starts_at: '2030-05-02T11:00:00+00:00', changes: [] })
  expect((await attendee.getScheduleEvent({ id })).event).toMatchObject({ title: 'Small boats', day: '2030-05-02' })
  expect((await attendee.listReleases({ offset: 0, limit: 1 })).releases).toMatchObject([
    { events: [{ event_id: String(id), changes: ['moved', 'retitled'] }] },
  ])
  const [revision] = (await editor.listRevisions({ offset: 0, limit: 1 })).revisions
  expect(revision).toMatchObject({ kind: 'publication', command: 'updateEvent', is_release: true })
  await editor.undoRevision({ id: Number(revision?.id) })
  const undone = await editor.getDraftEvent({ id })
  expect(undone).toMatchObject({
    event: { title: 'Small boats', changes: ['title', 'activities'] },
    published: { title: 'Boats' },
  })
  expect(undone.event.starts_at).toBe('2030-05-02T09:00:00+00:00')
  const unseen = Number((await editor.createEvent({ title: 'Knots' })).event.id)
  expect((await editor.getDraftEvent({ id: unseen })).published).toBeNull()
  await editor.updateEvent({ id: unseen, revision: await newest(editor, unseen), type: 'Talk', publish: true })
  expect((await attendee.getScheduleEvent({ id: unseen })).event).toMatchObject({ title: 'Knots', type: 'Talk' })
})

test('a session is deleted at once if nobody has seen it, and otherwise when that is published', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const [kept, deleted] = [
    Number((await editor.createEvent({ title: 'Kept' })).event.id),
    Number((await editor.createEvent({ title: 'Deleted' })).event.id),
  ]
  await editor.publish({ events: [kept] })
  const deletion = await editor.deleteEvent({ id: deleted, revision: await newest(editor, deleted) })
  await editor.undoRevision({ id: Number(deletion.revision_id) })
  await editor.deleteEvent({ id: deleted, revision: await newest(editor, deleted) })
  await expect(editor.getDraftEvent({ id: deleted })).rejects.toMatchObject({ data: { reason: 'EVENT_NOT_FOUND' } })
  await expect(editor.publish({ events: [deleted] })).rejects.toMatchObject({ data: { reason: 'EVENT_NOT_FOUND' } })
  await expect(editor.discardDraft({ events: [deleted] })).rejects.toMatchObject({
    data: { reason: 'EVENT_NOT_FOUND' },
  })
  await editor.deleteEvent({ id: kept, revision: await newest(editor, kept) })
  expect((await editor.getDraftEvent({ id: kept })).event).toMatchObject({ is_deleted: true, changes: ['is_deleted'] })
  expect(await titlesOf(attendee)).toEqual(['Kept'])
  await editor.discardDraft({})
  expect((await editor.getDraftEvent({ id: kept })).event).toMatchObject({ is_deleted: false, changes: [] })
  await editor.deleteEvent({ id: kept, revision: await newest(editor, kept) })
  await editor.publish({})
  expect(await titlesOf(attendee)).toEqual([])
  expect((await editor.getDraft({})).draft.events).toEqual([])
})

test('every fault of an edit is named at once, with its place, and nothing is changed', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const faults = editor.createEvent({
    title: ' ',
    starts_at: '2030-05-02T09:00:00Z',
    day: '2030-02-31',
    tags: ['ropes', ''],
    links: [{ rel: '', title: 'Slides', url: 'ftp://summit.example' }],
    speaker_ids: ['x' as unknown as number],
    do_not_record: 'maybe' as unknown as boolean,
  })
  await expect(faults).rejects.toMatchObject({
    data: {
      reason: 'VALIDATION_FAILED',
      fields: [
        { field: 'title', reason: 'BLANK' },
        { field: 'starts_at', reason: 'NOT_A_TIME' },
        { field: 'day', reason: 'NOT_A_DATE' },
        { field: 'speaker_ids[0]', reason: 'NOT_AN_INTEGER' },
        { field: 'tags[1]', reason: 'BLANK' },
        { field: 'links[0].url', reason: 'NOT_A_URL' },
        { field: 'do_not_record', reason: 'NOT_A_BOOLEAN' },
      ],
    },
  })
  const early = editor.createEvent({ title: 'A', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 08:00' })
  await expect(early).rejects.toMatchObject({ data: { fields: [{ field: 'ends_at', reason: 'NOT_A_TIME' }] } })
  const missing: [object, string][] = [
    [{ room_id: 404 }, 'ROOM_NOT_FOUND'],
    [{ track_id: 404 }, 'TRACK_NOT_FOUND'],
    [{ speaker_ids: [404] }, 'SPEAKER_NOT_FOUND'],
  ]
  for (const [member, reason] of missing)
    await expect(editor.createEvent({ title: 'A', ...member })).rejects.toMatchObject({ data: { reason } })
  const nothing = editor.createEvent({ title: 'A', track_id: 404, speaker_ids: [404, 405] })
  await expect(nothing).rejects.toMatchObject({
    data: {
      fields: [
        { field: 'track_id', reason: 'UNKNOWN', message: 'There is no track 404.' },
        { field: 'speaker_ids', reason: 'UNKNOWN', message: 'There is no speaker 404.' },
        { field: 'speaker_ids', reason: 'UNKNOWN', message: 'There is no speaker 405.' },
      ],
    },
  })
  expect((await editor.getDraft({})).draft.events).toEqual([])
})

/** Every row of every table, but for what an undo changes, and the ids of rows that are replaced. */
async function readTables(t: TestApp) {
  const unlike = new Set<keyof Tables>(['change', 'revision', 'revision_record', 'idempotency', 'credential'])
  const tables = tableNames.filter((table) => !unlike.has(table))
  const rows = await Promise.all(tables.map((table) => t.ctx.database.read.selectFrom(table).selectAll().execute()))
  return Object.fromEntries(
    tables.map((table, at) => [
      table,
      rows[at]
        ?.map((row) => ({
          ...row,
          sequence: 0,
          ...(table === 'event_speaker' || table === 'activity' ? { id: 0 } : {}),
        }))
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  )
}

test('what is drafted, published and undone leaves every table as it was', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const ids = await inCommand(t, async (scope) => ({
    room_id: await addRecord(scope, 'room', { name: 'Hall' }),
    speaker_ids: [
      await addRecord(scope, 'speaker', { name: 'Ana Cruz' }),
      await addRecord(scope, 'speaker', { name: 'Ben' }),
    ],
  }))
  const times = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00' }
  const id = Number((await editor.createEvent({ title: 'Boats', ...times, ...ids })).event.id)
  await editor.publish({})
  const before = await readTables(t)
  const sequenceOf = async () =>
    (
      await t.ctx.database.read
        .selectFrom('event')
        .select('sequence')
        .where('id', '=', id as EventId)
        .executeTakeFirstOrThrow()
    ).sequence
  const sequence = await sequenceOf()
  const [speaker = 0] = ids.speaker_ids
  const changed = {
    title: 'Ships',
    starts_at: '2030-05-03 12:00',
    room_id: 0,
    speaker_ids: [speaker],
    is_cancelled: true,
  }
  await editor.updateEvent({ id, revision: await newest(editor, id), ...changed })
  const edited = await newest(editor, id)
  await editor.publish({})
  const published = await newest(editor, id)
  expect(await readTables(t)).not.toEqual(before)
  const undo = (revisionId: number) =>
    inCommand(t, (scope) => undoRevision(scope, { revisionId, command: 'undo', keepChanged: false }))
  await expect(undo(edited)).rejects.toMatchObject({ reason: 'UNDO_BLOCKED' })
  await undo(published)
  await undo(edited)
  expect(await readTables(t)).toEqual(before)
  expect(await sequenceOf()).toBeGreaterThan(sequence + 1)
})
