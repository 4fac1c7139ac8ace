import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { setLogin } from '../../test/access/codes.ts'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import type { ParticipantId } from '../server/core/ids.ts'
import { page, seen, world } from './erasure.fixtures.ts'
import { rebuildOrSay } from './erasure.ts'

test('a participant is forgotten by the address with which they sign in', async () => {
  await using t = await startTestApp()
  const lars = await make.participant(t, { first_name: 'Lars', last_name: 'Holm', email: 'Lars@x.example' })
  await setLogin(t, lars as ParticipantId, 'lars@x.example')
  const desk = [
    await make.participant(t, { email: 'desk@x.example' }),
    await make.participant(t, { email: 'desk@x.example' }),
  ]
  const forget = (...args: string[]) => runSummitInProcess(['participant', 'forget', ...args, '--apply'], t.settings)
  expect((await forget('desk@x.example')).err).toBe(
    `Nobody signs in with “desk@x.example”. It is in the profile of participant ${desk[0]} (Ana Cruz) and participant ` +
      `${desk[1]} (Ana Cruz), where somebody else may have written it. Use the id of the participant you mean.\n`,
  )
  for (const unknown of ['nobody@x.example', 'Lars'])
    expect((await forget(unknown)).err).toBe(
      `“${unknown}” is neither the id of a participant nor the address with which one signs in. The ids are in the list ` +
        'that this prints: npm run summit -- export participants\n',
    )
  expect(await seen(t)).toContain('Lars')
  expect((await forget(' lars@x.example')).out).toContain(`participant ${lars}: Lars Holm <Lars@x.example>\n`)
  const { participants } = await t.client.listParticipants(page)
  expect(participants.map(({ id }) => Number(id))).toEqual(desk)
})

test('an organizer who needs the discussion keeps the posts of a forgotten participant, without their name', async () => {
  await using t = await startTestApp()
  const { ana } = await world(t)
  await runSummitInProcess(['participant', 'forget', String(ana), '--keep-posts', '--apply'], t.settings)
  const { NewsFeed } = await t.client.listTopics(page)
  expect(NewsFeed.map(({ content, author, likes }) => [content.header, author.name, likes])).toEqual([
    ['By Ben', 'Ben', []],
    ['By Ana', ' ', []],
  ])
  expect(NewsFeed[0]?.comments[0]?.author.name).toBe(' ')
  expect(await make.blobs(t)).toHaveLength(2)
  expect(await seen(t)).not.toMatch(/Ana Cruz|ana@x\.org|Feedback of Ana/)
})

test.each(['a folder', 'S3'])('every photo that a forgotten participant ever had is deleted, in %s', async (store) => {
  await using s3 = await startInMemoryS3()
  const blobs = store === 'S3' ? { BLOBS_URL: s3.url } : undefined
  await using t = await startTestApp(blobs)
  const settings = { ...t.settings, ...blobs }
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const ben = await make.participant(t, { first_name: 'Ben', last_name: '' })
  const importPhotos = async (background: string) => {
    for (const name of ['Ana Cruz', 'Ben'])
      await sharp({ create: { width: 8, height: 8, channels: 3, background } }).toFile(join(folder.path, `${name}.png`))
    return runSummitInProcess(['import', 'images', folder.path, '--apply'], settings)
  }
  const photos = async () => (await Array.fromAsync(t.ctx.blobs.list(), ({ key }) => key)).sort()
  const photoOf = async (id: number) =>
    (await t.client.listParticipants(page)).participants.find((one) => Number(one.id) === id)?.photo ?? ''

  await importPhotos('#111')
  await importPhotos('#222')
  await t.client.updateParticipant({ participantId: ana, photo: 'https://x.org/ana.jpg' })
  await importPhotos('#333')
  // A client has given her photo to someone else.
  const stranger = await make.participant(t, { first_name: 'Eve' })
  await t.client.updateParticipant({ participantId: stranger, photo: await photoOf(ana) })
  expect((await photos()).filter((key) => key.startsWith(`participants/${ana}/`))).toHaveLength(3)

  await runSummitInProcess(['participant', 'forget', String(ana), '--apply'], settings)
  const left = await photos()
  expect(left.filter((key) => key.startsWith(`participants/${ana}/`))).toEqual([])
  expect(left).toContain((await photoOf(ben)).replace('api/', ''))
  expect(await runSummitInProcess(['check'], settings)).toMatchObject({ code: 0, err: '' })
  expect(
    await t.ctx.database.read.selectFrom('revision_record').selectAll().where('kind', '=', 'participant').execute(),
  ).not.toContainEqual(expect.objectContaining({ record_id: ana }))
})

test('a deleted topic or comment comes back with everything below it', async () => {
  await using t = await startTestApp()
  const { own } = await world(t)
  const before = await seen(t)
  await t.client.deleteComment({ comment_id: 1 })
  await t.client.deleteTopic({ topic_id: own })
  expect(await seen(t)).not.toBe(before)
  expect((await runSummitInProcess(['topic', 'deleted'], t.settings)).out).toMatch(new RegExp(`^ +${own} .* By Ana\n$`))
  expect((await runSummitInProcess(['comment', 'deleted'], t.settings)).out).toMatch(/^ +1 .* Ben below Ana\n$/)
  expect(await runSummitInProcess(['comment', 'restore', '1'], t.settings)).toEqual({
    code: 0,
    out: `Comment 1 is restored, but its topic is deleted. To restore that: npm run summit -- topic restore ${own}\n`,
    err: '',
  })
  expect(await runSummitInProcess(['topic', 'restore', String(own)], t.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).toBe(before)
  expect((await runSummitInProcess(['comment', 'restore', '1'], t.settings)).err).toBe(
    'There is no deleted comment 1.\n',
  )
  expect((await runSummitInProcess(['topic', 'restore', 'x'], t.settings)).err).toBe(
    '“x” is not an id: it must be a number from 1.\n',
  )
})

test('a command promises a rebuild by the server only if it makes one', async () => {
  await using t = await startTestApp()
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const isSaid = async (isRebuilt: boolean) => {
    log.mockClear()
    await rebuildOrSay({ ...t.ctx, database: { ...t.ctx.database, isRebuilt: async () => isRebuilt } })
    return log.mock.calls.flat().join('').includes('The server rebuilds the file of the database within 10 minutes.')
  }
  // A database on a server may be served by several, and none rebuilds it.
  expect(await isSaid(true)).toBe(t.settings.DATABASE_URL === undefined)
  expect(await isSaid(false)).toBe(false)
  log.mockRestore()
})
