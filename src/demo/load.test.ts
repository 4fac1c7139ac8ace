import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'
import { findRecords, listRecords } from '../server/domains/program/records.ts'
import { rooms } from './conference.ts'
import { initializeSummit } from './initialize.ts'
import { portraits } from './pictures.ts'
import { speakers } from './speakers.ts'

test('the sample is loaded regardless of the configured limits, and leaves no file pending', async () => {
  await using t = await startTestApp({ MAX_FILES: '1', MAX_FILE_BYTES: '1000', MAX_NAME: '10' })
  expect(await initializeSummit(t.ctx, 'sample')).toBe(false)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 100 })
  const filesPerTopic = NewsFeed.map(({ content }) => content.uploaded_files.length)
  expect(Math.max(...filesPerTopic)).toBeGreaterThan(1)
  expect((await make.blobs(t)).filter((path) => path.includes('unnamed'))).toEqual([])
})

test('the loaded program has rooms in order, people of their own, and parts', async () => {
  await using t = await startTestApp({ TIMEZONE: 'Pacific/Auckland' })
  await initializeSummit(t.ctx, 'sample')
  const db = t.ctx.database.read
  const inOrder = (await listRecords(db, 'room')).toSorted((a, b) => a.sort - b.sort)
  expect(inOrder.map((room) => room.name)).toEqual(Object.values(rooms).map((room) => room.name))
  // It is 21:00 on 1 May there.
  expect(await findRecords(db, 'conference', [1])).toMatchObject([
    { title: 'Lantern Summit', time_zone: 'Pacific/Auckland', first_day: '2030-04-30', last_day: '2030-05-02' },
  ])

  const stored = await db.selectFrom('event').selectAll().execute()
  const named = (title: string) => stored.find((event) => event.title === title)
  expect(named('Panel: Who gets paged?')).toMatchObject({
    speaker: 'Jürgen Hoßfeld, Priyanka Deshmane, Bronte Wattley-Quinn',
    position: 'Reliability Lead, Principal Engineer, Grid Software Lead',
  })
  const afterMidnight = { program_date: '2030-04-30', date_from: '2030-05-01 00:15:00', language: 'nb' }
  expect(named('Sjøhistorier etter midnatt')).toMatchObject(afterMidnight)
  const sessionsOf = await db
    .selectFrom('event_speaker')
    .select(({ fn }) => fn.countAll<number>().as('sessions'))
    .groupBy('speaker_id')
    .execute()
  expect(sessionsOf).toHaveLength(Object.keys(speakers).length)
  expect(Math.max(...sessionsOf.map(({ sessions }) => Number(sessions)))).toBeGreaterThan(2)
})

test('people, speakers and sessions show them, and nothing is left pending', async () => {
  await using t = await startTestApp()
  await initializeSummit(t.ctx, 'sample')
  const typeOf = async (url: string | null) => (await fetch(new URL(url ?? '', t.url))).headers.get('content-type')
  // They are as old as the rest of the program.
  const changed = await t.ctx.database.read
    .selectFrom('event')
    .select('modified_at')
    .where('banner', '!=', '')
    .execute()
  for (const { modified_at } of changed) expect(modified_at).toBeLessThan(t.ctx.clock() - 14 * 86_400_000)
  const { participants } = await t.client.listParticipants({ offset: 0, limit: 100 })
  expect(participants.filter(({ photo }) => photo)).toHaveLength(Object.keys(portraits).length)
  const { speakers: shown, events } = (await t.client.getSchedule({ texts: false })).schedule
  const [aoife] = shown.filter(({ name }) => name.startsWith('Aoife'))
  const lanterns = events.find(({ title }) => title === 'Lantern Night')
  for (const url of [participants[0]?.photo, aoife?.photo_url, lanterns?.banner_url])
    expect(await typeOf(url ?? null)).toBe('image/webp')
  expect(await t.ctx.blobs.takePending()).toEqual([])
})
