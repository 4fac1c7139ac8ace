import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

const tracksOf = async ({ client }: Organizer) => (await client.getDraft({})).draft.tracks.list

test('an editor adds, colours, moves and removes tracks in one form, and takes it back', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  // A colour that was chosen counts, also where the box for none is still ticked.
  const added = await eva.submit('/console/tracks', 'Save', {
    'name-new1': 'Hardware',
    'color-new1': '#0b57d0',
    'name-new2': 'Boats',
  })
  expect(added.words).toContain('Saved. Attendees see it already. Undo')
  expect(await tracksOf(eva)).toEqual([
    { id: '1', name: 'Hardware', color: '#0b57d0' },
    { id: '2', name: 'Boats', color: '' },
  ])
  expect(added.text).toContain('.track-1{--track:#0b57d0}')
  const changed = await eva.submit(added, 'Save', { 'place-2': '1', 'plain-1': 'true', 'color-2': '#008800' })
  expect(await tracksOf(eva)).toEqual([
    { id: '2', name: 'Boats', color: '#008800' },
    { id: '1', name: 'Hardware', color: '' },
  ])
  await eva.submit(changed, 'Undo')
  expect(await tracksOf(eva)).toMatchObject([{ color: '#0b57d0' }, { color: '' }])
  await eva.submit('/console/tracks', 'Save', { 'remove-1': 'true' })
  expect(await tracksOf(eva)).toMatchObject([{ name: 'Boats' }])
})

test('a track with sessions stays, and the page says which are in it', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  await eva.client.setTracks({ revision: 0, tracks: [{ name: 'Hardware' }] })
  await eva.client.createEvent({ title: 'Small boats', track_id: 1 })
  const failed = await eva.submit('/console/tracks', 'Save', { 'name-1': '', 'name-new1': 'Boats' })
  expect(failed.text).toContain('<a href="/console/sessions/1" dir="auto">Small boats</a>')
  expect(failed.text).toContain('value="Boats"')
  expect(await tracksOf(eva)).toMatchObject([{ name: 'Hardware' }])
})

test('of two editors at the list, the second sees what the first has coloured, and loses nothing', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const tom = await signInToConsole(t, 'tom@summit.example', ['editor'])
  await eva.client.setTracks({ revision: 0, tracks: [{ name: 'Hardware', color: '#0b57d0' }, { name: 'Boats' }] })
  const form = await tom.open('/console/tracks')
  await eva.submit('/console/tracks', 'Save', { 'color-1': '#aa0000', 'remove-2': 'true' })
  const stale = await tom.submit(form, 'Save', { 'name-1': 'Circuits', 'name-2': 'Ships' })
  expect(stale.status).toBe(409)
  await tom.submit(stale, 'Save')
  expect(await tracksOf(eva)).toMatchObject([
    { id: '1', name: 'Circuits', color: '#aa0000' },
    { name: 'Ships', color: '' },
  ])
})
