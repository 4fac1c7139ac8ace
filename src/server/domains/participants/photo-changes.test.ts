import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { listOwnedBlobs } from '../orphans/owned-blobs.ts'
import { createImage, faceOf, keyOf, load, photosIn, profileForm, stored, update } from './photo-changes.fixtures.ts'

test('an uploaded photo is cropped and stripped of metadata, and is the face of its participant', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t)
  const { participant } = await update(t, id, profileForm(await createImage(), { designation: 'Engineer, at last' }))
  expect(participant).toMatchObject({ designation: 'Engineer, at last', first_name: 'Ana' })
  expect(participant.photo).toMatch(stored)
  const face = await faceOf(t, id)
  expect(new URL(face).pathname).toBe(`/${participant.photo}`)
  const { type, bytes } = await load(face)
  const { width, height, exif } = await sharp(bytes).metadata()
  expect([type, width, height, exif]).toEqual(['image/jpeg', 512, 512, undefined])
  expect(await photosIn(t)).toEqual([keyOf(participant)])
  const owned = await Array.fromAsync(listOwnedBlobs(t.ctx.database.read))
  expect(owned).toEqual([
    {
      key: keyOf(participant),
      sha256: /[0-9a-f]{64}/.exec(participant.photo)?.[0],
      owner: `photo of participant ${id}`,
    },
  ])
})

describe('is refused with the reason, and stores nothing:', () => {
  const text = new Blob(['not an image'])
  const cases: [string, (image: Blob) => FormData, object][] = [
    ['a text', () => profileForm(text), { field: 'photo', reason: 'NOT_AN_IMAGE' }],
    ['an empty file', () => profileForm(new Blob([])), { field: 'photo', reason: 'NOT_AN_IMAGE' }],
    ['a part of an image', (image) => profileForm(image.slice(0, 900)), { field: 'photo', reason: 'NOT_AN_IMAGE' }],
    ['several photos', (image) => profileForm([image, image]), { field: 'photo', reason: 'REPEATED' }],
    ['a photo and a link', (image) => profileForm(image, { photo: 'a.jpg' }), { field: 'photo', reason: 'REPEATED' }],
  ]
  test.each(cases)('%s', async (_, formOf, field) => {
    await using t = await startTestApp()
    const id = await make.participant(t, { photo: 'photos/ana.jpg' })
    const { code, fields } = await update(t, id, formOf(await createImage()))
    expect({ code, fields }).toEqual({ code: 4220, fields: [expect.objectContaining(field)] })
    expect(await make.blobs(t)).toEqual([])
    expect((await t.client.updateParticipant({ participantId: id })).participant.photo).toBe('photos/ana.jpg')
  })

  test('a file under another name, or too large', async () => {
    await using t = await startTestApp({ MAX_FILE_BYTES: '2000' })
    const id = await make.participant(t)
    const form = profileForm([])
    form.append('uploaded_files', new Blob(['x']), 'me.jpg')
    expect((await update(t, id, form)).fields).toMatchObject([{ field: 'uploaded_files', reason: 'UNEXPECTED_FILE' }])
    expect((await update(t, id, profileForm(new Blob([Buffer.alloc(2001)])))).fields).toMatchObject([
      { field: 'photo', reason: 'TOO_LARGE' },
    ])
    expect(await make.blobs(t)).toEqual([])
  })

  test('an image for somebody who does not exist', async () => {
    await using t = await startTestApp()
    expect((await update(t, 9, profileForm(await createImage()))).reason).toBe('PARTICIPANT_NOT_FOUND')
    expect(await make.blobs(t)).toEqual([])
  })
})

/** Sends a form with one part. */
const sendPart = async (t: TestApp, id: number, headers: string, content: string) => {
  const part = `--b\r\nContent-Disposition: form-data; name="photo"${headers}\r\n\r\n${content}\r\n--b--\r\n`
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  return (await make.send(t, 'PUT', `/api/participants/${id}/update`, part, type)).data
}

test('a text is one whatever type its part has, and an image needs no name', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t)
  for (const type of ['text/plain', 'application/json; charset=utf-8', 'application/octet-stream']) {
    const data = await sendPart(t, id, `\r\nContent-Type: ${type}`, 'photos/ana.jpg')
    expect(data).toMatchObject({ participant: { photo: expect.stringMatching(/^photos\/ana\.jpg/) } })
  }
  const data = await sendPart(t, id, '\r\nContent-Type: image/jpeg', 'x')
  expect(data).toMatchObject({ fields: [{ field: 'photo', reason: 'NOT_AN_IMAGE' }] })
})

test('an input in which no file was chosen changes nothing', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t, { photo: 'photos/ana.jpg' })
  const data = await sendPart(t, id, '; filename=""\r\nContent-Type: application/octet-stream', '')
  expect(data).toMatchObject({ participant: { photo: 'photos/ana.jpg' } })
})

describe('a link to the image of a post', () => {
  test('that is deleted already, and with which the profile is sent back, stays', async () => {
    await using t = await startTestApp()
    const photo = '/api/newsfeeds/files/99/me.jpg'
    const id = await make.participant(t, { photo })
    const { participant } = await t.client.updateParticipant({ participantId: id, photo, gender: 'F' })
    expect(participant.gender).toBe('F')
    expect(participant.photo.replace(/\?key=.*/, '')).toBe(photo)
  })

  test('is refused if it is no image, or a link itself', async () => {
    await using t = await startTestApp()
    const id = await make.participant(t)
    const uploaded_files = [{ name: 'me.jpg', data: 'R3LD' }, 'https://cdn.summit.example/me.jpg']
    await make.topic(t, { created_by: id, uploaded_files })
    const reasonOf = async (photo: string) =>
      (await t.client.call('updateParticipant', { participantId: id, photo })).envelope.data
    for (const [file, reason] of [
      [1, 'NOT_AN_IMAGE'],
      [2, 'FILE_NOT_FOUND'],
    ])
      expect(await reasonOf(`/api/newsfeeds/files/${file}/me.jpg`)).toMatchObject({
        fields: [{ field: 'photo', reason }],
      })
    expect(await photosIn(t)).toEqual([])
  })
})
