import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../test/command.ts'
import { publishEvent, startWithEditor } from './editing.fixtures.ts'

// Undos of undos, and of what others have built on since.

const newest = async ({ editor }: Pick<Awaited<ReturnType<typeof startWithEditor>>, 'editor'>, id: number) =>
  (await editor.getDraftEvent({ id })).event.revision

test('an undo of which everything is blocked changes nothing, and is possible later', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const id = await publishEvent(editor, { title: 'Boats' })
  await editor.updateEvent({ id, revision: 2, title: 'Ships' })
  await editor.updateEvent({ id, revision: 3, title: 'Large ships' })
  const blocked = { data: { reason: 'UNDO_BLOCKED' } }
  await expect(editor.undoRevision({ id: 3, keep_changed: true })).rejects.toMatchObject(blocked)
  await editor.undoRevision({ id: 4 })
  await editor.undoRevision({ id: 3 })
  expect((await editor.getDraftEvent({ id })).event).toMatchObject({ title: 'Boats', changes: [] })
})

test('a session that was deleted returns with its draft, and without the speaker who was erased', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  await editor.setRooms({ revision: 0, rooms: [{ name: 'Hall' }, { name: 'Garden' }] })
  await editor.createSpeaker({ name: 'Ana' })
  const id = await publishEvent(editor, { title: 'Boats', room_id: 1, speaker_ids: [1] })
  await editor.updateEvent({ id, revision: await newest(t, id), room_id: 2 })
  await editor.deleteEvent({ id, revision: await newest(t, id) })
  const deletion = Number((await editor.publish({})).revision_id)
  // No session is in a room any more.
  const { rooms } = await editor.setRooms({ revision: 1, rooms: [] })
  await editor.deleteSpeaker({ id: 1, revision: 2 })
  await editor.undoRevision({ id: rooms.revision })
  await editor.undoRevision({ id: deletion })
  expect((await attendee.getSchedule({})).schedule.events).toMatchObject([{ room_id: '1', speaker_ids: [] }])
  expect((await editor.getDraftEvent({ id })).event).toMatchObject({ is_deleted: true, room_id: '2', speaker_ids: [] })
})

test('a session that was imported again in the meantime does not return beside that', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const file = join(await mkdtemp(join(tmpdir(), 'summit-')), 'program.csv')
  await writeFile(file, 'ID,Title,Start,End,Room,Speaker\n1,Boats,2030-05-02 09:00,2030-05-02 10:00,Hall,Ana\n')
  const importFile = () => runSummitInProcess(['import', 'program', file, '--apply'], t.settings)
  await importFile()
  await editor.undoRevision({ id: 1 })
  await importFile()
  const { records } = await editor.planUndo({ id: 2 })
  expect(records[0]).toMatchObject({ kind: 'event', change: 'blocked', reason: 'session 2 has its id' })
  await expect(editor.undoRevision({ id: 2 })).rejects.toMatchObject({ data: { reason: 'UNDO_BLOCKED' } })
  await editor.undoRevision({ id: 3 })
  await editor.undoRevision({ id: 2 })
  expect((await editor.getDraft({})).draft).toMatchObject({
    events: [{ id: '1', title: 'Boats', speaker_ids: ['1'], room_id: '1' }],
    rooms: { list: [{ id: '1' }] },
  })
  expect((await importFile()).out).toContain('unchanged       1')
})
