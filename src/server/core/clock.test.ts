import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { fromLocal, parseTime, timestampFormatter } from './clock.ts'

// Expected values computed with Python's zoneinfo.
test.each([
  ['UTC', '2030-05-01T09:00:00Z', '2030-05-01 09:00:00'],
  ['Etc/GMT+12', '2030-05-01T09:00:00Z', '2030-04-30 21:00:00'],
  ['Asia/Kathmandu', '2030-05-01T09:00:00Z', '2030-05-01 14:45:00'],
  ['Asia/Kolkata', '2030-05-01T18:30:00Z', '2030-05-02 00:00:00'],
  ['Australia/Eucla', '2030-05-01T00:00:00Z', '2030-05-01 08:45:00'],
  ['Pacific/Chatham', '2030-01-01T00:00:00Z', '2030-01-01 13:45:00'],
  ['Pacific/Chatham', '2030-06-01T00:00:00Z', '2030-06-01 12:45:00'],
  ['America/St_Johns', '2030-07-01T00:00:00Z', '2030-06-30 21:30:00'],
  ['Pacific/Kiritimati', '2030-12-31T10:00:00Z', '2031-01-01 00:00:00'],
  ['Pacific/Niue', '2030-01-01T10:59:59Z', '2029-12-31 23:59:59'],
])('in %s, %s is formatted as %s', (zone, instant, formatted) => {
  expect(timestampFormatter(zone)(Date.parse(instant))).toBe(formatted)
})

// The last second before a clock change and the first one after it, also from Python's zoneinfo.
test.each([
  ['Europe/Berlin', '2030-03-31T01:00:00Z', '2030-03-31 01:59:59', '2030-03-31 03:00:00'],
  ['Europe/Berlin', '2030-10-27T01:00:00Z', '2030-10-27 02:59:59', '2030-10-27 02:00:00'],
  ['America/New_York', '2030-03-10T07:00:00Z', '2030-03-10 01:59:59', '2030-03-10 03:00:00'],
  ['Australia/Lord_Howe', '2030-04-06T15:00:00Z', '2030-04-07 01:59:59', '2030-04-07 01:30:00'],
  ['Australia/Adelaide', '2030-10-05T16:30:00Z', '2030-10-06 01:59:59', '2030-10-06 03:00:00'],
  ['Australia/Eucla', '2007-10-27T17:15:00Z', '2007-10-28 01:59:59', '2007-10-28 03:00:00'],
  ['Asia/Kathmandu', '1985-12-31T18:30:00Z', '1985-12-31 23:59:59', '1986-01-01 00:15:00'],
  ['Asia/Pyongyang', '2018-05-04T15:00:00Z', '2018-05-04 23:29:59', '2018-05-05 00:00:00'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-29 23:59:59', '2011-12-31 00:00:00'],
])('the clock change of %s at %s is honored, whichever side is formatted first', (zone, instant, before, after) => {
  const change = Date.parse(instant)
  const forwards = timestampFormatter(zone)
  expect([forwards(change - 1_000), forwards(change)]).toEqual([before, after])
  const backwards = timestampFormatter(zone)
  expect([backwards(change), backwards(change - 1)]).toEqual([after, before])
})

test('any instant since 1980 in any time zone is formatted as Intl formats it', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const formatters = new Map(
    zones.map((zone) => {
      // The Swedish locale uses the format of the API.
      const reference = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
      return [zone, { format: timestampFormatter(zone), reference }]
    }),
  )
  const instants = fc.integer({ min: Date.parse('1980-01-01T00:00:00Z'), max: Date.parse('2099-12-31T23:59:59Z') })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
      const { format, reference } = formatters.get(zone) ?? {}
      expect(format?.(instant)).toBe(reference?.format(instant))
    }),
    { numRuns: 5_000 },
  )
})

// A time that clocks show twice is the first of the two; one that they skip is read with the offset before the change.
test.each([
  ['UTC', '1970-01-01', '1970-01-01T00:00:00Z'],
  ['Asia/Manila', '1970-01-01', '1969-12-31T16:00:00Z'],
  ['Pacific/Niue', '1969-12-31', '1969-12-31T11:00:00Z'],
  ['Etc/GMT+12', '9999-12-31 23:30', '+010000-01-01T11:30:00Z'],
  ['Etc/GMT-14', '9999-12-31 23:30', '9999-12-31T09:30:00Z'],
  ['Etc/GMT-14', '0000-01-01', '-000001-12-31T10:00:00Z'],
  ['Europe/Berlin', '2030-03-31 01:30', '2030-03-31T00:30:00Z'],
  ['Europe/Berlin', '2030-03-31 02:30', '2030-03-31T01:30:00Z'],
  ['Europe/Berlin', '2030-03-31 03:30', '2030-03-31T01:30:00Z'],
  ['Europe/Berlin', '2030-10-27 02:30', '2030-10-27T00:30:00Z'],
  ['Europe/Berlin', '2030-10-27 03:00', '2030-10-27T02:00:00Z'],
  ['America/New_York', '2030-03-10 02:30', '2030-03-10T07:30:00Z'],
  ['America/New_York', '2030-03-10 04:00', '2030-03-10T08:00:00Z'],
  ['America/New_York', '2030-11-03 01:30', '2030-11-03T05:30:00Z'],
  ['America/Santiago', '2030-09-08', '2030-09-08T04:00:00Z'],
  ['Pacific/Auckland', '2030-09-29', '2030-09-28T12:00:00Z'],
  ['Pacific/Auckland', '2030-04-07', '2030-04-06T11:00:00Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
])('in %s, %s is the time %s', (zone, local, instant) => {
  const at = parseTime(local, timestampFormatter(zone)) ?? Number.NaN
  expect(new Date(at).toJSON()).toBe(new Date(instant).toJSON())
})

test.each(['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe'])(
  'every hour of a year that clocks show in %s is found again',
  (zone) => {
    const timestamp = timestampFormatter(zone)
    const start = Date.parse('2030-01-01T00:00:00Z')
    const shown = Array.from({ length: 365 * 24 }, (_, hour) => timestamp(start + hour * 3_600_000))
    expect(shown.map((text) => timestamp(fromLocal(Date.parse(`${text}Z`), timestamp)))).toEqual(shown)
  },
)

test.each(['UTC', 'Asia/Manila', 'Pacific/Niue'])('an unset timestamp is all zeros in %s', (zone) => {
  expect(timestampFormatter(zone)(0)).toBe('0000-00-00 00:00:00')
})

test('fractions of a second are truncated, never rounded up', () => {
  expect(timestampFormatter('UTC')(Date.parse('2030-12-31T23:59:59.999Z'))).toBe('2030-12-31 23:59:59')
})

test('results stay correct after the cache of offsets has overflowed', () => {
  const format = timestampFormatter('Europe/Berlin')
  const start = Date.parse('2030-01-01T00:00:00Z')
  const first = format(start)
  for (let quarter = 1; quarter <= 10_100; quarter++) format(start + quarter * 900_000)
  expect([format(start), first]).toEqual(['2030-01-01 01:00:00', '2030-01-01 01:00:00'])
})

test('records and response envelopes have timestamps in the configured time zone', async () => {
  await using t = await startTestApp({ TIMEZONE: 'Asia/Kathmandu' })
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.addFeedback({ created_by: 1 })
  t.advance(60_000)
  const { envelope } = await t.client.call('getTopic', { topic_id: 1 })
  expect(envelope).toMatchObject({
    data: {
      NewsFeed: [
        { content: { dateCreated: '2030-05-01 14:45:00' }, comments: [{ created_at: '2030-05-01 14:45:00' }] },
      ],
    },
    system: { created_at: '2030-05-01 14:46:00' },
  })
  const { feedbacks } = await t.client.listFeedback({ offset: 0, limit: 1 })
  expect(feedbacks[0]?.dateCreated).toBe('2030-05-01 14:45:00')
})
