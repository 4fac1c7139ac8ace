import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'
import { findRecords, listRecords } from '../server/domains/program/records.ts'
import { planUndo } from '../server/domains/revisions/undo.ts'
import { release, rooms } from './conference.ts'
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

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
  'in %s, sessions are on and next at ordinary times of the second day, that of the first start',
  async (zone) => {
    const today = '2030-05-01'
    await using t = await startTestApp({ TIMEZONE: zone })
    await initializeSummit(t.ctx, 'sample')
    const { days, events } = (await t.client.getSchedule({ texts: false })).schedule
    expect(days[1]?.date).toBe(today)
    const shown = events.filter(({ is_cancelled }) => !is_cancelled)
    for (const time of ['10:30', '14:15', '19:00']) {
      const now = `${today}T${time}`
      expect(
        shown.some(({ starts_at, ends_at }) => `${starts_at}` <= now && now < `${ends_at}`),
        time,
      ).toBe(true)
      expect(
        shown.some(({ day, starts_at }) => day === today && `${starts_at}` > now),
        time,
      ).toBe(true)
    }
  },
)

test('attendees read one release: a session that moved, and one that is cancelled, which organizers can undo', async () => {
  await using t = await startTestApp({ TIMEZONE: 'UTC' })
  await initializeSummit(t.ctx, 'sample')
  const { releases } = await t.client.listReleases({ offset: 0, limit: 10 })
  expect(releases).toMatchObject([
    {
      note: release.note,
      at: '2030-05-01T05:45:00+00:00',
      events: [
        {
          title: 'Tie a net, draw a network',
          changes: ['moved'],
          from: { room: 'Net Room', starts_at: '2030-05-01T15:15:00+00:00' },
          to: { room: 'Rope Loft' },
        },
        { title: 'Choir for people who do not sing', changes: ['cancelled'] },
      ],
    },
  ])
  const { events, rooms } = (await t.client.getSchedule({ texts: false })).schedule
  const shown = (title: string) => events.find((event) => event.title === title)
  expect(rooms.find(({ id }) => id === shown('Tie a net, draw a network')?.room_id)?.name).toBe('Rope Loft')
  expect(shown('Choir for people who do not sing')?.is_cancelled).toBe(true)
  const undone = await planUndo(t.ctx.database.read, Number(releases[0]?.id))
  expect(undone.map(({ change }) => change)).toEqual(['restored', 'restored'])
})

test.each([
  ['right after midnight', '2030-05-01T00:02:00Z'],
  ['in the morning', '2030-05-01T09:00:00Z'],
  ['right before midnight', '2030-05-01T23:58:00Z'],
  ['after clocks were set forward', '2030-03-31T12:00:00Z'],
])('a first start %s: topics are newest first, and none is later than the start', async (_, start) => {
  await using t = await startTestApp({ TIMEZONE: 'Europe/Oslo' })
  const now = Date.parse(start)
  t.setClock(now - t.ctx.clock())
  await initializeSummit(t.ctx, 'sample')
  const posts = ['topic', 'comment'] as const
  for (const post of posts) {
    const rows = await t.ctx.database.read.selectFrom(post).select(['id', 'created_at']).orderBy('id').execute()
    const times = rows.map(({ created_at }) => created_at)
    expect(Math.max(...times)).toBeLessThan(now)
    expect(Math.max(...times)).toBeGreaterThan(now - 10 * 60_000)
    expect(Math.min(...times)).toBeGreaterThan(now - 42 * 3_600_000)
    if (post === 'topic') expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
  const { created_at } = await t.ctx.database.read
    .selectFrom('feedback')
    .select(({ fn }) => fn.max('created_at').as('created_at'))
    .executeTakeFirstOrThrow()
  expect(Number(created_at)).toBeLessThan(now)
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
