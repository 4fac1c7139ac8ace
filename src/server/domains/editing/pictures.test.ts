import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../test/command.ts'
import * as make from '../../../../test/make.ts'
import { createImage, load } from '../participants/photo-changes.fixtures.ts'
import { publishEvent, setPicture, startWithEditor } from './editing.fixtures.ts'

type World = Awaited<ReturnType<typeof startWithEditor>>

const newest = async ({ editor }: World, id: number) => (await editor.getDraftEvent({ id })).event.revision

/** Loads an image as an attendee does. The URLs of responses begin with the public one. */
const loadFrom = async (t: World, url: string | null | undefined) => {
  const response = await fetch((url ?? '').replace(/^https:\/\/[^/]+/, t.url), { headers: t.ana.headers })
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The size and main colour of an image. */
async function describe(bytes: Buffer) {
  const { width, height, exif } = await sharp(bytes).metadata()
  const { dominant } = await sharp(bytes).stats()
  return { width, height, exif, isRed: dominant.r > dominant.g }
}

test('an editor sets the logo, which is redrawn, and undoes and removes it', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const { response_code, data } = await setPicture(t, 'conference/logo', await createImage('#933', 'png'), 0)
  expect([response_code, data]).toMatchObject([1000, { conference: { revision: 1 } }])
  const logo = async () => (await attendee.getSchedule({})).schedule.conference.logo_url
  const first = await logo()
  expect(first).toMatch(/\/api\/program\/conference\/logo\/logo-[\da-f]{64}-[\da-f]{16}\.jpg\?key=/)
  const { type, bytes } = await loadFrom(t, first)
  expect(type).toBe('image/jpeg')
  expect(await describe(bytes)).toEqual({ width: 800, height: 600, exif: undefined, isRed: true })

  await setPicture(t, 'conference/logo', await createImage('#396', 'png'), 1)
  expect(await logo()).not.toBe(first)
  expect((await loadFrom(t, first)).type).toContain('application/json')
  // The one before stays for the undo.
  expect(await make.blobs(t)).toHaveLength(2)
  expect(await runSummitInProcess(['check'], t.settings)).toMatchObject({ code: 0 })
  await t.undo(2)
  expect((await logo())?.split('?')[0]).toBe(first?.split('?')[0])
  expect((await loadFrom(t, await logo())).type).toBe('image/jpeg')
  const { revision } = (await editor.getDraft({})).draft.conference
  await setPicture(t, 'conference/logo', '', revision)
  expect(await logo()).toBeNull()
})

test('an editor sets the banner of a published event, which attendees see at once, and of one that is not', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const id = await publishEvent(editor, { title: 'Small boats' })
  await setPicture(t, `draft/events/${id}/banner`, await createImage('#933'), await newest(t, id))
  const { banner_url } = (await attendee.getScheduleEvent({ id })).event
  expect((await describe((await loadFrom(t, banner_url)).bytes)).isRed).toBe(true)
  await setPicture(t, `draft/events/${id}/banner`, await createImage('#396'), await newest(t, id))
  expect((await describe((await loadFrom(t, banner_url)).bytes)).isRed).toBe(false)
  await setPicture(t, `draft/events/${id}/banner`, '', await newest(t, id))
  expect((await attendee.getScheduleEvent({ id })).event.banner_url).toBeNull()

  const { event } = await editor.createEvent({ title: 'Not published' })
  const hidden = Number(event.id)
  await setPicture(t, `draft/events/${hidden}/banner`, await createImage('#933'), event.revision)
  expect((await loadFrom(t, `${t.url}/api/program/banner/get/${hidden}`)).type).toContain('application/json')
  await editor.publish({})
  expect((await loadFrom(t, `${t.url}/api/program/banner/get/${hidden}`)).type).toBe('image/jpeg')
})

test('an editor sets the photo of a speaker, which is a square, and removes it', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const { speaker } = await editor.createSpeaker({ name: 'Ana Cruz' })
  await publishEvent(editor, { title: 'Small boats', speaker_ids: [1] })
  const seen = async () => (await attendee.getSchedule({})).schedule.speakers[0]?.photo_url
  const placeholder = await loadFrom(t, `${t.url}/api/program/speakers/1/photo`)
  const { data } = await setPicture(t, 'speakers/1/photo', await createImage('#933'), speaker.revision)
  const url = await seen()
  expect(url).toMatch(/\/api\/program\/speakers\/1\/photo\?key=/)
  expect(await describe((await loadFrom(t, url)).bytes)).toMatchObject({ width: 512, height: 512, isRed: true })
  const { revision } = (data as typeof speaker & { speaker: { revision: number } }).speaker
  await setPicture(t, 'speakers/1/photo', '', revision)
  expect(await seen()).toBeNull()
  expect((await load(`${t.url}/api/program/speakers/1/photo`)).type).toContain('application/json')
  expect((await loadFrom(t, `${t.url}/api/program/speakers/1/photo`)).bytes).toEqual(placeholder.bytes)
})

test('editors, and nobody else, load pictures of what is not published', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const { event } = await editor.createEvent({ title: 'Small boats' })
  await editor.createSpeaker({ name: 'Ana' })
  const id = Number(event.id)
  await expect(editor.readDraftBanner({ id })).rejects.toMatchObject({ data: { reason: 'FILE_NOT_FOUND' } })
  await expect(editor.readDraftSpeakerPhoto({ id: 1 })).rejects.toMatchObject({ data: { reason: 'FILE_NOT_FOUND' } })
  await setPicture(t, `draft/events/${id}/banner`, await createImage('#933'), event.revision)
  await setPicture(t, 'speakers/1/photo', await createImage('#396'), 2)
  const [banner, photo] = [await editor.readDraftBanner({ id }), await editor.readDraftSpeakerPhoto({ id: 1 })]
  for (const { headers } of [banner, photo])
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['image/jpeg', 'private, no-cache'])
  expect((await describe(Buffer.from(await banner.arrayBuffer()))).isRed).toBe(true)
  expect((await describe(Buffer.from(await photo.arrayBuffer()))).isRed).toBe(false)
  const key = /\?key=.*/.exec((await editor.getDraft({})).draft.speakers[0]?.photo_url ?? '')?.[0]
  for (const path of [`draft/events/${id}/banner`, 'draft/speakers/1/photo'])
    for (const headers of [t.ana.headers, {}]) {
      const response = await fetch(`${t.url}/api/program/${path}${key}`, { headers })
      expect(await response.json()).toMatchObject([
        {
          data: { reason: headers === t.ana.headers ? 'FORBIDDEN' : 'UNAUTHENTICATED' },
        },
      ])
    }
  for (const path of [`banner/get/${id}`, 'speakers/1/photo'])
    expect((await loadFrom(t, `${t.url}/api/program/${path}`)).type).toContain('application/json')
})

test('an event without a photo has that of its first speaker', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  for (const name of ['Ana', 'Ben']) await editor.createSpeaker({ name })
  const id = await publishEvent(editor, { title: 'Small boats', speaker_ids: [2, 1] })
  const photo = async () => (await loadFrom(t, `${t.url}/api/program/photo/get/${id}`)).bytes
  const drawn = await photo()
  await setPicture(t, 'speakers/1/photo', await createImage('#933'), 1)
  expect(await photo()).toEqual(drawn)
  await setPicture(t, 'speakers/2/photo', await createImage('#396'), 2)
  expect(await describe(await photo())).toMatchObject({ width: 512, isRed: false })
  const { event } = await editor.getDraftEvent({ id })
  await editor.updateEvent({ id, revision: event.revision, speaker_ids: [1] })
  expect((await describe(await photo())).isRed).toBe(false)
  await editor.publish({})
  expect((await describe(await photo())).isRed).toBe(true)
  const [ana] = (await editor.getDraft({})).draft.speakers
  await editor.deleteSpeaker({ id: 1, revision: ana?.revision ?? 0 })
  expect((await sharp(await photo()).metadata()).format).toBe('png')
})

test('a photo that an editor has uploaded stays when the program is imported again', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const file = join(t.dataDir, 'program.csv')
  await writeFile(
    file,
    'Title,Start,End,Speaker,Speaker photo\nBoats,2030-05-02 09:00,2030-05-02 10:00,Ana Cruz,https://ana.example/1.jpg\n',
  )
  const importFile = () => runSummitInProcess(['import', 'program', file, '--apply'], t.settings)
  expect(await importFile()).toMatchObject({ code: 0, err: '' })
  const read = async () => make.only((await editor.getDraft({})).draft.speakers)
  const { photo_url, revision } = await read()
  expect(photo_url).toBe('https://ana.example/1.jpg')
  await setPicture(t, 'speakers/1/photo', await createImage('#933'), revision)
  expect(await importFile()).toMatchObject({ code: 0, err: '' })
  expect((await read()).photo_url).toContain('/api/program/speakers/1/photo')
})

test('a picture that is none, is missing, or is of a record that somebody else has changed is refused, and nothing is stored', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const { event } = await editor.createEvent({ title: 'Small boats' })
  await editor.createSpeaker({ name: 'Ana' })
  await editor.updateConference({ revision: 0, title: 'Summit' })
  const image = await createImage()
  const paths: [string, number][] = [
    [`draft/events/${event.id}/banner`, event.revision],
    ['speakers/1/photo', 2],
    ['conference/logo', 3],
  ]
  for (const [path, revision] of paths) {
    const stale = await setPicture(t, path, image, 99)
    expect(stale.data).toMatchObject({ reason: 'EVENT_CHANGED', current: expect.anything() })
    for (const wrong of [new Blob(['no image']), 'https://summit.example/a.png'])
      expect((await setPicture(t, path, wrong, revision)).data).toMatchObject({
        fields: [{ field: 'photo', reason: 'NOT_AN_IMAGE' }],
      })
    const form = new FormData()
    form.append('revision', String(revision))
    const missing = await make.send(t, 'PUT', `/api/program/${path}`, form, t.owner.headers)
    expect(missing.data).toMatchObject({ fields: [{ field: 'photo', reason: 'REQUIRED' }] })
  }
  expect(await make.blobs(t)).toEqual([])
})
