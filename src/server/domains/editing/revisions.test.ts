import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { signInAsOrganizer } from '../../../../test/access/sessions.ts'
import { inCommand } from '../../../../test/in-command.ts'
import { addParticipant } from '../participants/participants.ts'
import { recordRevision } from '../revisions/record-revision.ts'

// What editors see of revisions, and undo.

/** Eva, who edits, and a session that she has published. */
async function startPublished() {
  const t = await startAppWithKeys('members')
  const { client: editor } = await signInAsOrganizer(t, 'eva@summit.example', ['editor'])
  const id = Number((await editor.createEvent({ title: 'Small boats', starts_at: '2030-05-02 09:00' })).event.id)
  await editor.publish({ note: 'Welcome' })
  const update = async (values: { title?: string; starts_at?: string }) => {
    const { revision } = (await editor.getDraftEvent({ id })).event
    await editor.updateEvent({ id, revision, ...values })
  }
  const list = async () => (await editor.listRevisions({ offset: 0, limit: 100 })).revisions
  return { ...t, editor, id, update, list }
}

test('an editor lists what was changed, by whom, and what undid it', async () => {
  await using t = await startPublished()
  expect(await t.editor.undoRevision({ id: 2 })).toEqual({ revision_id: '3' })
  const { client } = await t.issueKey({ roles: ['editor'] })
  await client.createEvent({ title: 'Knots' })
  const at = '2030-05-01T09:00:00+00:00'
  const by = { at, organizer: 'eva@summit.example', file: '', note: '', records: 1, title: 'Small boats', undoes: null }
  expect(await t.list()).toEqual([
    {
      ...{ ...by, organizer: null, id: '4', kind: 'edit', command: 'createEvent', title: 'Knots' },
      ...{ is_undone: false, is_undoable: true, is_release: false },
    },
    {
      ...{ ...by, id: '3', kind: 'undo', command: 'undoRevision', undoes: '2' },
      ...{ is_undone: false, is_undoable: true, is_release: true },
    },
    {
      ...{ ...by, id: '2', kind: 'publication', command: 'publish', note: 'Welcome', records: 0, title: '' },
      ...{ is_undone: true, is_undoable: false, is_release: true },
    },
    {
      ...{ ...by, id: '1', kind: 'edit', command: 'createEvent' },
      ...{ is_undone: false, is_undoable: true, is_release: false },
    },
  ])
  expect((await t.editor.listRevisions({ offset: 1, limit: 1 })).revisions.map(({ id }) => id)).toEqual(['3'])
  const edits = async (offset: number) =>
    (await t.editor.listRevisions({ offset, limit: 9, kind: 'edit' })).revisions.map(({ id }) => id)
  expect([await edits(0), await edits(1)]).toEqual([['4', '1'], ['1']])
  await expect(t.editor.listRevisions({ offset: 0, limit: 9, kind: 'guess' as never })).rejects.toMatchObject({
    data: { reason: 'VALIDATION_FAILED' },
  })
})

test('undoing a publication keeps its session as a draft, also one with feedback, and can be undone', async () => {
  await using t = await startPublished()
  const titles = async () => (await t.ana.client.listEvents({ offset: 0, limit: 10 })).events.map(({ title }) => title)
  await t.ana.client.addFeedback({ participant_id: t.ana.participant, created_by: t.ana.participant, program_id: t.id })
  expect(await t.editor.planUndo({ id: 2 })).toEqual({
    revision: (await t.list()).find(({ id }) => id === '2'),
    records: [
      {
        ...{ kind: 'event', id: '1', text: 'session 1 “Small boats”', change: 'restored', reason: null },
        differences: ['not published'],
      },
    ],
  })
  const { revision_id } = await t.editor.undoRevision({ id: 2 })
  expect(await titles()).toEqual([])
  expect((await t.editor.getDraftEvent({ id: t.id })).event).toMatchObject({
    title: 'Small boats',
    is_published: false,
  })
  await t.editor.undoRevision({ id: Number(revision_id) })
  expect(await titles()).toEqual(['Small boats'])
  await expect(t.editor.undoRevision({ id: 2 })).rejects.toMatchObject({ data: { reason: 'REVISION_NOT_FOUND' } })
})

test('an undo names what was changed since, and undoes nothing, or the others if these may stay', async () => {
  await using t = await startPublished()
  const other = Number((await t.editor.createEvent({ title: 'Knots' })).event.id)
  await t.update({ title: 'Large boats' })
  await t.editor.publish({})
  await t.update({ title: 'Tall ships' })
  await t.editor.publish({})
  const id = 5
  const blocked = 'session 1 “Tall ships”: changed by revision 7; undo that one first.'
  await expect(t.editor.undoRevision({ id })).rejects.toMatchObject({
    data: { reason: 'UNDO_BLOCKED', fields: [{ field: 'keep_changed', reason: 'REQUIRED', message: blocked }] },
  })
  const isPublished = async (id: number) => (await t.editor.getDraftEvent({ id })).event.is_published
  expect(await isPublished(other)).toBe(true)
  await t.editor.undoRevision({ id, keep_changed: true })
  expect(await isPublished(other)).toBe(false)
  expect((await t.ana.client.getScheduleEvent({ id: t.id })).event.title).toBe('Tall ships')
})

test('revisions of participants are listed by their number, and neither shown nor undone by request', async () => {
  await using t = await startPublished()
  await inCommand(t, (scope) =>
    recordRevision(scope, { kind: 'import', command: 'import participants', file: 'people.csv' }, [
      { kind: 'participant', id: undefined, write: () => addParticipant(scope, { first_name: 'Aoife' }) },
    ]),
  )
  const [revision] = await t.list()
  expect(revision).toMatchObject({ command: 'import participants', records: 1, organizer: null, is_undoable: false })
  expect(JSON.stringify(revision)).not.toContain('Aoife')
  const id = Number(revision?.id)
  for (const { client } of [{ client: t.editor }, t.owner]) {
    await expect(client.planUndo({ id })).rejects.toMatchObject({ data: { reason: 'FORBIDDEN' } })
    await expect(client.undoRevision({ id })).rejects.toMatchObject({ data: { reason: 'FORBIDDEN' } })
  }
})
