import { expect, test } from 'vitest'
import { startOtherServer, startTestApp } from '../../app.ts'
import { addConference, readPage } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

test('an editor sees every change of the draft at once, whichever server made it', { timeout: 60_000 }, async () => {
  await using t = await startTestApp()
  await using other = await startOtherServer(t)
  await using uncached = await startOtherServer(t, { pageCacheBytes: 0 })
  await addConference(t)
  const { client, headers } = await signInToConsole(t)
  const see = (server: { url: string }) => readPage(server, '/console/sessions', headers).then(({ words }) => words)
  let before = ''
  const expectSeen = async (change: string) => {
    const words = await see(other)
    expect(words, change).not.toBe(before)
    expect(words, change).toBe(await see(uncached))
    expect(await see(t), change).toBe(words)
    before = words
  }
  await expectSeen('nothing')

  const ana = (await client.createSpeaker({ name: 'Ana' })).speaker
  const created = await client.createEvent({ title: 'Boats', speaker_ids: [Number(ana.id)] })
  await expectSeen('a new session')
  const id = Number(created.event.id)
  await client.publish({})
  await expectSeen('a publication')
  const newest = async () => (await client.getDraftEvent({ id })).event.revision
  await client.updateEvent({ id, revision: await newest(), title: 'Large boats' })
  await expectSeen('an edit')
  await client.discardDraft({ events: [id] })
  await expectSeen('a discarded draft')
  await client.setRooms({ revision: 0, rooms: [{ name: 'Hall' }] })
  await client.updateEvent({ id, revision: await newest(), room_id: 1 })
  await expectSeen('a room')
  const { rooms } = (await client.getDraft({})).draft
  await client.setRooms({ revision: rooms.revision, rooms: [{ id: 1, name: 'Garden' }] })
  await expectSeen('a renamed room')
  const { revision_id } = await client.publish({})
  await expectSeen('another publication')
  await client.undoRevision({ id: Number(revision_id) })
  await expectSeen('an undo')
  for (const [title, draft] of [
    ['Knots', true],
    ['Ropes', false],
  ] as const) {
    const file = new File([`title,start\n${title},2030-05-02 09:00\n`], 'sessions.csv')
    const { plan } = await client.planImport({ draft, partial: true }, { file })
    await client.applyImport({ hash: plan.hash, draft, partial: true }, { file })
    await expectSeen(`an import, ${draft ? 'to the draft' : 'at once'}`)
  }
  const { speakers } = (await client.getDraft({})).draft
  await client.deleteSpeaker({ id: Number(ana.id), revision: speakers[0]?.revision ?? 0 })
  await expectSeen('an erased speaker')
  await client.deleteEvent({ id, revision: await newest() })
  await expectSeen('a deleted session')
})
