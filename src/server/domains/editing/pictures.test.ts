import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../test/command.ts'
import * as make from '../../../../test/make.ts'
import { createImage } from '../participants/photo-changes.fixtures.ts'
import { publishEvent, setPicture, startWithEditor } from './editing.fixtures.ts'
import { describe, loadFrom, type World } from './pictures.fixtures.ts'

const newest = async ({ editor }: World, id: number) => (await editor.getDraftEvent({ id })).event.revision

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
