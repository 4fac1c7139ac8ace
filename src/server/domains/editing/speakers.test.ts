import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import type { EventId } from '../../core/ids.ts'
import { readLedgerFile } from '../../log/ledger/ledger-file.ts'
import { tableNames } from '../../storage/db/tables.ts'
import { createImage } from '../participants/photo-changes.fixtures.ts'
import { updateEvent } from '../program/events.ts'
import { pictureKey } from '../program/pictures.ts'
import { recordRevision } from '../revisions/record-revision.ts'
import { publishEvent, sequenceOf, setPicture, startWithEditor } from './editing.fixtures.ts'

test('an editor creates a speaker, and attendees see them, and each change, once an event of theirs is published', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const { speaker } = await editor.createSpeaker({
    name: 'Ana Cruz',
    position: 'Shipwright',
    company: 'Harbour Ltd',
    biography: '<p onclick="x()">Builds <b>boats</b>.</p><script>x()</script>',
    links: [{ title: 'Blog', url: 'https://ana.example' }],
  })
  expect(speaker).toEqual({
    ...{ id: '1', guid: expect.stringMatching(/^[\da-f-]{36}$/), name: 'Ana Cruz', position: 'Shipwright' },
    ...{ company: 'Harbour Ltd', biography: '<p>Builds <b>boats</b>.</p>', photo_url: null, revision: 1 },
    links: [{ title: 'Blog', url: 'https://ana.example' }],
  })
  expect(await editor.getDraftSpeaker({ id: 1 })).toEqual({ speaker })
  const speakersSeen = async () => (await attendee.getSchedule({})).schedule.speakers
  expect(await speakersSeen()).toEqual([])
  const id = await publishEvent(editor, { title: 'Small boats', speaker_ids: [1] })
  expect(await speakersSeen()).toMatchObject([{ name: 'Ana Cruz' }])

  const before = (await sequenceOf(t, id)) ?? 0
  const { speaker: changed } = await editor.updateSpeaker({ id: 1, revision: 1, name: 'Ana María Cruz', company: '' })
  expect(changed).toMatchObject({ name: 'Ana María Cruz', position: 'Shipwright', company: '', revision: 4 })
  expect((await attendee.getEvent({ id })).programs).toMatchObject({ speaker: 'Ana María Cruz', company: '' })
  expect(await sequenceOf(t, id)).toBeGreaterThan(before)
  await t.undo(4)
  expect((await attendee.getEvent({ id })).programs).toMatchObject({ speaker: 'Ana Cruz', company: 'Harbour Ltd' })
})

test('a speaker whom somebody else has changed, or whom only a draft names, stays', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const event = await publishEvent(editor, { title: 'Small boats' })
  await editor.createSpeaker({ name: 'Ana' })
  const second = editor.updateSpeaker({ id: 1, revision: 1, name: 'Other' })
  await expect(second).rejects.toMatchObject({
    data: { reason: 'EVENT_CHANGED', current: { speaker: { name: 'Ana', revision: 3 } } },
  })
  await expect(editor.deleteSpeaker({ id: 1, revision: 1 })).rejects.toMatchObject({
    data: { reason: 'EVENT_CHANGED' },
  })
  const { revision } = (await editor.getDraftEvent({ id: event })).event
  await editor.updateEvent({ id: event, revision, speaker_ids: [1] })
  await t.undo(3)
  expect((await editor.getDraft({})).draft.speakers).toMatchObject([{ name: 'Ana' }])
})

test('an erased speaker is gone from events, drafts, former states, files and responses, and other undos go on working', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  await editor.createSpeaker(
    { name: 'Quirina Quast', biography: 'About Quirina', position: 'Quartermaster' },
    { idempotencyKey: 'stored' },
  )
  await editor.createSpeaker({ name: 'Ben' })
  const both = await publishEvent(editor, { title: 'Both', speaker_ids: [1, 2] })
  const hers = await publishEvent(editor, { title: 'Alone', speaker_ids: [1] })
  const drafted = await publishEvent(editor, { title: 'Drafted', speaker_ids: [2] })
  await setPicture(t, 'speakers/1/photo', await createImage('#369'), await newestOf(editor, 1))
  await setPicture(t, 'speakers/1/photo', await createImage('#963'), await newestOf(editor, 1))
  for (const id of [both, hers]) await importPhoto(t, id)
  await editor.updateEvent({
    id: drafted,
    revision: (await editor.getDraftEvent({ id: drafted })).event.revision,
    title: 'Still drafted',
    speaker_ids: [1, 2],
  })
  const { event: retitled } = await editor.updateEvent({
    id: both,
    revision: (await editor.getDraftEvent({ id: both })).event.revision,
    title: 'Both of them',
  })
  const { revision_id } = await editor.publish({ events: [both] })
  // Draws the name.
  for (const id of [both, hers]) await fetch(`${t.url}/api/program/photo/get/${id}`, { headers: t.ana.headers })
  expect(retitled.title).toBe('Both of them')

  const { speakers } = (await editor.getDraft({})).draft
  const [quirina] = speakers
  const before = (await sequenceOf(t, both)) ?? 0
  await editor.deleteSpeaker({ id: 1, revision: quirina?.revision ?? 0 })

  expect(await sequenceOf(t, both)).toBeGreaterThan(before)
  const programs = await Promise.all([both, hers].map(async (id) => (await attendee.getEvent({ id })).programs))
  expect(programs).toMatchObject([
    { title: 'Both of them', speaker: 'Ben', position: '' },
    { title: 'Alone', speaker: '', position: '' },
  ])
  expect((await attendee.getSchedule({ texts: true })).schedule.speakers).toMatchObject([{ name: 'Ben' }])
  expect((await editor.getDraftEvent({ id: drafted })).event).toMatchObject({
    title: 'Still drafted',
    speaker_ids: ['2'],
    changes: ['title'],
  })
  const rows = await Promise.all(tableNames.map((table) => t.ctx.database.read.selectFrom(table).selectAll().execute()))
  expect(JSON.stringify(rows)).not.toMatch(/quirina|quast|quartermaster/i)
  // The photo of several speakers stays.
  expect(await make.blobs(t)).toEqual([expect.stringContaining(`/program/${both}/photo-`)])
  expect(await readdir(join(t.dataDir, 'placeholders'))).toEqual([])
  const entries = (await readLedgerFile(t.dataDir)) ?? []
  expect(entries).toMatchObject([{ kind: 'speaker.erased', record: 1 }])
  expect(await readFile(join(t.dataDir, 'ledger'), 'utf8')).not.toContain('Quirina')
  await expect(editor.deleteSpeaker({ id: 1, revision: 0 })).rejects.toMatchObject({
    data: { reason: 'SPEAKER_NOT_FOUND' },
  })

  await t.undo(Number(revision_id))
  expect((await attendee.getEvent({ id: both })).programs).toMatchObject({ title: 'Both', speaker: 'Ben' })
})

/** Gives an event a photo, as an import does. */
async function importPhoto(t: Awaited<ReturnType<typeof startWithEditor>>, event: number): Promise<void> {
  const id = event as EventId
  const photo = pictureKey(id, 'photo', '0'.repeat(64), 'png')
  await (await t.ctx.blobs.stage([Buffer.from('photo')], 100)).store(photo)
  await inCommand(t, async (scope) => {
    const write = async () => {
      await updateEvent(scope, id, { photo })
      return id
    }
    await recordRevision(scope, { kind: 'import', command: 'import images' }, [{ kind: 'event', id, write }])
  })
  await t.ctx.blobs.confirm(photo)
}

/** The revision of a speaker. */
const newestOf = async (editor: Awaited<ReturnType<typeof startWithEditor>>['editor'], id: number) =>
  (await editor.getDraft({})).draft.speakers.find((speaker) => speaker.id === String(id))?.revision ?? 0
