import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { planUndo } from '../server/domains/revisions/undo.ts'
import { release } from './conference.ts'
import { initializeSummit } from './initialize.ts'

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
