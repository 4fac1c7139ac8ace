import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../test/command.ts'
import * as make from '../../../../test/make.ts'
import { createImage, load } from '../participants/photo-changes.fixtures.ts'
import { publishEvent, setPicture, startWithEditor } from './editing.fixtures.ts'
import { describe, loadFrom } from './pictures.fixtures.ts'

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
