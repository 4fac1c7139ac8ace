import { expect, test } from 'vitest'
import { inCommand } from '../../../../test/in-command.ts'
import type { EventId } from '../../core/ids.ts'
import { listOwnedBlobs } from '../orphans/owned-blobs.ts'
import { publishEvent, startWithEditor } from './editing.fixtures.ts'

// A row that is damaged takes nothing from everyone but itself.

const damaged = ['{', 'null', '[]', '5', '"x"', '{"speakers":5,"activities":{}}', '{"speakers":null,"bogus":1}']

test('a draft that is damaged counts as none', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const other = await publishEvent(editor, { title: 'Other' })
  const id = await publishEvent(editor, { title: 'Boats' })
  for (const draft of damaged) {
    await inCommand(t, ({ db }) =>
      db
        .updateTable('event')
        .set({ draft })
        .where('id', '=', id as EventId)
        .execute(),
    )
    expect((await editor.getDraft({})).draft.events, draft).toMatchObject([{}, { title: 'Boats', changes: [] }])
    const { event } = await editor.getDraftEvent({ id: other })
    await editor.updateEvent({ id: other, revision: event.revision, title: `Not ${draft}` })
    await editor.publish({})
    expect((await attendee.getEvent({ id: other })).programs).toMatchObject({ title: `Not ${draft}` })
    expect((await attendee.getEvent({ id })).programs).toMatchObject({ title: 'Boats' })
  }
})

test('states and notes that are damaged break no other release, undo, erasure or list of files', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  await editor.createSpeaker({ name: 'Ana' })
  const id = await publishEvent(editor, { title: 'Boats', speaker_ids: [1] })
  await editor.publish({ note: 'Nothing' })
  await editor.updateEvent({ id, revision: 3, title: 'Ships' })
  await editor.publish({})
  await inCommand(t, async ({ db }) => {
    await db.updateTable('revision').set({ notes: '{' }).where('id', '=', 3).execute()
    await db.updateTable('revision_record').set({ before: '{', after: '{' }).where('revision_id', '=', 3).execute()
    await db.updateTable('revision_record').set({ after: 'null' }).where('revision_id', '=', 1).execute()
  })
  const { releases } = await attendee.listReleases({ offset: 0, limit: 10 })
  expect(releases).toMatchObject([{ events: [{ title: 'Ships', changes: ['retitled'] }] }])
  expect((await editor.listRevisions({ offset: 0, limit: 10 })).revisions).toHaveLength(5)
  await editor.setRooms({ revision: 0, rooms: [{ name: 'Hall' }] })
  expect((await editor.planUndo({ id: 6 })).records).toMatchObject([{ change: 'removed' }])
  expect(await Array.fromAsync(listOwnedBlobs(t.ctx.database.read))).toEqual([])
  await editor.deleteSpeaker({ id: 1, revision: 1 })
  expect((await attendee.getEvent({ id })).programs).toMatchObject({ speaker: '' })
})
