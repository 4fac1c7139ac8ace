import { describe, expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startOtherServer, startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { removeOrphans } from '../orphans/orphans.ts'
import { finishErasures } from '../privacy/finish-erasures.ts'
import {
  createImage,
  faceOf,
  keyOf,
  load,
  photosIn,
  postImage,
  profileForm,
  sendTo,
  stored,
  update,
} from './photo-changes.fixtures.ts'

test('the photo before is removed, whoever has stored it, and one that is stored again is not', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t)
  const image = await createImage()
  const first = await update(t, id, profileForm(image))
  const second = await update(t, id, profileForm(image))
  expect(second.participant.photo).not.toBe(first.participant.photo)
  expect(await photosIn(t)).toHaveLength(2)
  // As by a device that has read the profile before.
  const sendFirst = async () =>
    expect(await update(t, id, profileForm(first.participant.photo))).toMatchObject({
      code: 4220,
      fields: [{ field: 'photo', reason: 'FILE_NOT_FOUND' }],
    })
  await sendFirst()
  await finishErasures(t.ctx)
  expect(await photosIn(t)).toEqual([keyOf(second.participant)])
  expect((await load(await faceOf(t, id))).type).toBe('image/jpeg')
  await sendFirst()
  await t.client.updateParticipant({ participantId: id, photo: '' })
  await finishErasures(t.ctx)
  expect(await photosIn(t)).toEqual([])
})

test('a photo is sent back by its path or URL, and stays', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t)
  const { participant } = await update(t, id, profileForm(await createImage()))
  const { photo } = participant
  for (const sent of [photo, `/${photo}`, `${t.url}/${photo}`])
    expect((await t.client.updateParticipant({ participantId: id, photo: sent })).participant.photo, sent).toBe(photo)
  await finishErasures(t.ctx)
  expect(await photosIn(t)).toEqual([keyOf(participant)])
})

test('a retry under the same key changes nothing, and another image needs another key', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t)
  const once = { 'idempotency-key': 'once' }
  const image = await createImage()
  const first = await update(t, id, profileForm(image), once)
  const again = await update(t, id, profileForm(image), once)
  expect(again.participant).toEqual(first.participant)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await update(t, id, profileForm(await createImage('#963')), once)).reason).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await photosIn(t)).toEqual([keyOf(first.participant)])
})

test('a photo whose row is not written is removed, at once or after a restart', async () => {
  await using t = await startTestApp()
  const id = await make.participant(t)
  const { ctx } = t
  const { transaction } = ctx.database
  ctx.database.transaction = () => Promise.reject(new Error('no row'))
  expect((await update(t, id, profileForm(await createImage()))).code).toBe(5000)
  expect(await make.blobs(t)).toEqual([])
  // As if the process had been killed: nothing is cleaned up.
  const { remove } = ctx.blobs
  ctx.blobs.remove = async () => {}
  await update(t, id, profileForm(await createImage()))
  Object.assign(ctx.database, { transaction })
  Object.assign(ctx.blobs, { remove })
  expect(await photosIn(t)).toHaveLength(1)
  expect(await removeOrphans(ctx, await ctx.blobs.takePending())).toBe(1)
  expect(await make.blobs(t)).toEqual([])
})

describe('where people sign in', () => {
  test('participants upload their own photo, in either operation, and nobody that of another', async () => {
    await using t = await startAppWithKeys('members')
    const image = await createImage()
    const { participant: id } = t.ana
    const own = await update(t, id, profileForm(image), t.ana.headers)
    expect(own.participant.photo).toMatch(stored)
    const me = await sendTo(t, '/api/me', profileForm(image), t.ana.headers)
    expect(me.participant.photo).toMatch(stored)
    expect((await update(t, id, profileForm(image), t.ben.headers)).reason).toBe('FORBIDDEN')
    // Before the image is read.
    expect((await update(t, id, profileForm(new Blob(['x'])), t.ben.headers)).reason).toBe('FORBIDDEN')
    expect((await sendTo(t, '/api/me', profileForm(image), t.owner.headers)).reason).toBe('PARTICIPANT_NOT_FOUND')
    expect((await update(t, id, profileForm(image))).reason).toBe('UNAUTHENTICATED')
    for (const path of ['/api/me', `/api/participants/${id}/update`])
      expect((await sendTo(t, path, profileForm([image, image]), t.ana.headers)).fields, path).toMatchObject([
        { field: 'photo', reason: 'REPEATED' },
      ])
    expect(await photosIn(t)).toHaveLength(2)
  })

  test('an erasure removes the photo and the ones before', async () => {
    await using t = await startAppWithKeys('members')
    for (const background of ['#369', '#963'])
      await update(t, t.ana.participant, profileForm(await createImage(background)), t.ana.headers)
    expect(await photosIn(t)).toHaveLength(2)
    await t.ana.client.eraseOwnData({ participant_id: t.ana.participant })
    await expect.poll(() => photosIn(t)).toEqual([])
  })
})

test('a photo is shown by every server, also by one that started before', async () => {
  await using t = await startTestApp()
  await using other = await startOtherServer(t)
  const id = await make.participant(t)
  const shown = async () => make.only((await other.client.listParticipants({ offset: 0, limit: 9 })).participants).photo
  expect(await shown()).toBe(null)
  const { participant } = await update(t, id, profileForm(await createImage()))
  expect(await shown()).toBe(participant.photo)
})

describe('a link to the image of a post', () => {
  test.each([
    ['absolute', (link: string) => link],
    ['without a host', (link: string) => new URL(link).pathname],
    ['below the base', (link: string) => new URL(link).pathname.slice(1)],
  ])('%s is copied, so that the face stays when the post is deleted', async (_, toPhoto) => {
    await using t = await startTestApp()
    const id = await make.participant(t)
    const { topic_id, link } = await postImage(t, id)
    const photo = toPhoto(link)
    const { participant } = await t.client.updateParticipant({ participantId: id, photo })
    expect(participant.photo).toMatch(stored)
    await t.client.deleteTopic({ topic_id })
    expect((await load(await faceOf(t, id))).type).toBe('image/jpeg')
    const { envelope } = await t.client.call('updateParticipant', { participantId: id, photo })
    expect(envelope).toMatchObject({ data: { fields: [{ field: 'photo', reason: 'FILE_NOT_FOUND' }] } })
    expect((await t.client.updateParticipant({ participantId: id })).participant.photo).toBe(participant.photo)
  })

  test('is copied when it is its turn, so that many requests stage one image at a time', async () => {
    await using t = await startTestApp()
    const id = await make.participant(t)
    const { link: photo } = await postImage(t, id)
    const { blobs } = t.ctx
    const stage = blobs.stage.bind(blobs)
    let staged = 0
    let most = 0
    blobs.stage = async (source, maxBytes) => {
      // The bytes of a resized image are in memory.
      if (Array.isArray(source)) return stage(source, maxBytes)
      most = Math.max(most, ++staged)
      const blob = await stage(source, maxBytes)
      const discard = async () => {
        staged--
        await blob.discard()
      }
      return { ...blob, discard }
    }
    const requests = Array.from({ length: 12 }, () => t.client.call('updateParticipant', { participantId: id, photo }))
    const codes = (await Promise.all(requests)).map(({ envelope }) => envelope.response_code)
    expect(codes.toSorted()).toEqual([...Array(10).fill(1000), 5030, 5030])
    expect({ staged, most }).toEqual({ staged: 0, most: 1 })
  })

  test('with a media key is copied, too', async () => {
    await using t = await startAppWithKeys('members')
    const uploaded_files = [
      { name: 'me.png', data: Buffer.from(await (await createImage('#396', 'png')).arrayBuffer()).toString('base64') },
    ]
    const { NewsFeed } = await t.ben.client.createTopic({ name: 'x', created_by: t.ben.participant, uploaded_files })
    const { link } = make.only(make.only(NewsFeed).content.uploaded_files)
    expect(link).toContain('?key=smm_')
    expect((await t.ana.client.updateMe({ photo: link })).participant.photo.replace(/\?.*/, '')).toMatch(stored)
  })
})
