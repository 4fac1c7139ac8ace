import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'
import { findRecords, listRecords } from '../server/domains/program/records.ts'
import { conference, rooms, tracks } from './conference.ts'
import { feedback } from './feedback.ts'
import { initializeSummit } from './initialize.ts'
import { topics } from './newsfeed.ts'
import { people } from './people.ts'
import { events } from './program.ts'
import type { SampleComment, SampleFile } from './shapes.ts'
import { speakers } from './speakers.ts'

// An ordinary day, the end of a leap February, the end of a year, and the day before a clock change.
const firstDays = ['2030-05-14', '2028-02-28', '2030-12-31', '2030-03-30']
const sample = events('2030-05-14')

const isPerson = (index: number) => Number.isInteger(index) && index in people
const fullNames = people.map((person) => `${person.first_name} ${person.last_name}`)
const allComments: SampleComment[] = topics.flatMap((topic) => topic.comments)
const allFiles: SampleFile[] = [...topics, ...allComments].flatMap((post) => post.files ?? [])
const allText = JSON.stringify([people, rooms, tracks, speakers, sample, topics, feedback])

function ascending(numbers: number[]): boolean {
  return numbers.every((number, i) => number >= (numbers[i - 1] ?? 0))
}

/** The contrast of two colours, `#rrggbb` (WCAG 2.2). */
function contrast(...colors: [string, string]): number {
  const [darker = 0, lighter = 0] = colors.map(luminance).toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function isValidTimestamp(stamp: string): boolean {
  const date = new Date(`${stamp.replace(' ', 'T')}Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19).replace('T', ' ') === stamp
}

test('the sample has its full size', () => {
  expect([people.length, sample.length, topics.length, feedback.length]).toEqual([48, 30, 24, 30])
})

test('the sample is loaded regardless of the configured limits, and leaves no file pending', async () => {
  await using t = await startTestApp({ MAX_FILES: '1', MAX_FILE_BYTES: '1000', MAX_NAME: '10' })
  expect(await initializeSummit(t.ctx, 'sample')).toBe(false)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 100 })
  const filesPerTopic = NewsFeed.map(({ content }) => content.uploaded_files.length)
  expect(Math.max(...filesPerTopic)).toBeGreaterThan(1)
  expect((await make.blobs(t)).filter((path) => path.includes('unnamed'))).toEqual([])
})

test('e-mail addresses and employee numbers are unique, and no address can be real', () => {
  expect(new Set(people.map((person) => person.email)).size).toBe(people.length)
  expect(new Set(people.map((person) => person.employee_no)).size).toBe(people.length)
  for (const { email } of people) expect(email).toMatch(/^[a-z]+@[a-z]+\.summit\.example$/)
})

test('texts are well-formed and name no weekday: the sample may start on any day', () => {
  expect(allText.isWellFormed()).toBe(true)
  expect(allText).not.toMatch(/\b(mon|tues|wednes|thurs|fri|satur|sun)day/i)
})

describe('program', () => {
  test.each(firstDays)('every date is valid for a summit that starts on %s', (firstDay) => {
    const lastMoment = `${events(firstDay)[14]?.date_to?.slice(0, 10)} 23:59:59`
    for (const event of events(firstDay)) {
      const { date_from, date_to, program = [] } = event
      if (date_from === null || date_to === null) {
        expect([date_from, date_to, program]).toEqual([null, null, []])
        continue
      }
      expect([date_from, date_to].every(isValidTimestamp)).toBe(true)
      expect(date_from < date_to && date_from >= firstDay && date_to <= lastMoment).toBe(true)
      const moments = program.flatMap(({ date, activities }) => activities.map(({ time }) => `${date} ${time}`))
      expect(moments.every((moment) => isValidTimestamp(moment) && moment >= date_from)).toBe(true)
      expect(moments).toEqual(moments.toSorted())
    }
  })

  test('rejects an invalid first day', () => {
    expect(() => events('soon')).toThrow(RangeError)
  })

  test('the sessions in the room of a stage are those in its schedule, but for what was moved', () => {
    const sessions = sample.filter((event) => !event.program)
    for (const { title: stage, room, program = [] } of sample.filter((event) => event.program)) {
      const listed = program.flatMap(({ date, activities }) =>
        activities.map(({ title, time }) => `${date} ${time} ${title}`),
      )
      const titles = (given: typeof sessions) => given.map(({ date_from, title }) => `${date_from} ${title}`)
      expect(listed, stage).toEqual(expect.arrayContaining(titles(sessions.filter((event) => event.room === room))))
      expect(titles(sessions), stage).toEqual(expect.arrayContaining(listed))
    }
  })

  test('no room and no speaker is in two sessions at the same time', () => {
    const sessions = sample.filter((event) => !event.program && event.cancelledAt === undefined)
    for (const one of sessions) {
      const others = sessions.filter(
        (other) => other !== one && `${other.date_from}` < `${one.date_to}` && `${one.date_from}` < `${other.date_to}`,
      )
      const taken = others.flatMap(({ room, speakers = [] }) => [room, ...speakers])
      expect(taken.filter((who) => who === one.room || one.speakers?.some((speaker) => speaker === who))).toEqual([])
    }
  })

  test('every session has a type, and begins and ends with a slot', () => {
    for (const { title, type, date_from, date_to } of sample.filter((event) => !event.program)) {
      expect(type, title).toBeTruthy()
      for (const time of [date_from, date_to])
        if (time !== null) expect(Number(time.slice(14, 16)) % conference.slot_minutes, title).toBe(0)
    }
  })

  test('speakers are participants with the same position and company, and speak in a session', () => {
    const speaking = sample.flatMap((event) => event.speakers ?? [])
    for (const speaker of Object.values(speakers)) {
      const { designation } = people[fullNames.indexOf(speaker.name)] ?? {}
      expect(designation, speaker.name).toBe(`${speaker.position}, ${speaker.company}`)
      expect(speaking, speaker.name).toContain(speaker)
    }
  })

  test('every speaker has a biography of two or three sentences, and no link can be to a real page', () => {
    for (const { name, biography } of Object.values(speakers))
      expect(biography.match(/\.(?= |$)/g)?.length, name).toBeOneOf([2, 3])
    const links = [...Object.values(speakers), ...sample].flatMap(({ links = [] }) => links)
    for (const url of [conference.url, ...links.map((link) => link.url)])
      expect(url).toMatch(/^https:\/\/example\.(com|net|org)\//)
  })

  test('white or dark text can be read on the colour of every track', () => {
    const darkText = '#1a1c1f'
    for (const { name, color } of Object.values(tracks))
      expect(Math.max(contrast(color, '#ffffff'), contrast(color, darkText)), name).toBeGreaterThanOrEqual(4.5)
  })

  test('the loaded program has rooms in order, people of their own, and sessions that changed', async () => {
    await using t = await startTestApp()
    await initializeSummit(t.ctx, 'sample')
    const db = t.ctx.database.read
    const inOrder = (await listRecords(db, 'room')).toSorted((a, b) => a.sort - b.sort)
    expect(inOrder.map((room) => room.name)).toEqual(Object.values(rooms).map((room) => room.name))
    expect(await findRecords(db, 'conference', [1])).toMatchObject([
      { title: 'Lantern Summit', time_zone: '', first_day: '2030-04-28', last_day: '2030-04-30' },
    ])

    const stored = await db.selectFrom('event').selectAll().execute()
    const named = (title: string) => stored.find((event) => event.title === title)
    expect(named('Panel: Who gets paged?')).toMatchObject({
      speaker: 'Jürgen Hoßfeld, Priyanka Deshmane, Bronte Wattley-Quinn',
      position: 'Reliability Lead, Principal Engineer, Grid Software Lead',
    })
    expect(named('Harbour walk, meet at the big anchor')).toMatchObject({ is_cancelled: 1, venue: '' })
    const moved = named('Read a flame graph without crying')
    expect([moved?.venue, moved?.modified_at]).toEqual(['Net Room', Date.parse('2030-04-29T12:24:00Z')])
    const afterMidnight = { program_date: '2030-04-29', date_from: '2030-04-30 00:15:00', language: 'nb' }
    expect(named('Sjøhistorier etter midnatt')).toMatchObject(afterMidnight)
    const sessionsOf = await db
      .selectFrom('event_speaker')
      .select(({ fn }) => fn.countAll<number>().as('sessions'))
      .groupBy('speaker_id')
      .execute()
    expect(sessionsOf).toHaveLength(Object.keys(speakers).length)
    expect(Math.max(...sessionsOf.map(({ sessions }) => Number(sessions)))).toBeGreaterThan(2)
  })

  test('HTML consists of closed paragraphs and lists', () => {
    for (const html of sample.flatMap((event) => [event.description, event.details])) {
      expect(html).toMatch(/^<p>.*<\/(p|ul|ol)>$/s)
      const open: string[] = []
      for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([^>]*)>/g)) {
        expect(['p', 'ul', 'ol', 'li', 'em', 'strong']).toContain(tag)
        if (slash) expect(open.pop()).toBe(tag)
        else open.push(tag)
      }
      expect(open).toEqual([])
    }
  })
})

describe('news feed', () => {
  test('authors and likes are by participants, without duplicate likes or likes of their own topics', () => {
    for (const { by, likes, header } of topics) {
      expect([by, ...likes].every(isPerson), header).toBe(true)
      expect(new Set([by, ...likes]).size, header).toBe(likes.length + 1)
    }
    expect(allComments.every(({ by }) => isPerson(by))).toBe(true)
  })

  test('timestamps ascend within the three days', () => {
    expect(ascending(topics.map((topic) => topic.minutesAfterStart))).toBe(true)
    for (const { comments, minutesAfterStart, header } of topics) {
      const minutes = comments.map((comment) => comment.minutesAfter)
      expect(ascending([1, ...minutes]), header).toBe(true)
      expect(minutesAfterStart + (minutes.at(-1) ?? 0), header).toBeLessThan(3 * 24 * 60 - 8 * 60)
    }
  })

  test('a topic has a header and 0 to 9 comments that are not blank', () => {
    for (const { header, comments } of topics) {
      expect(header.trim()).not.toBe('')
      expect(comments.length).toBeLessThanOrEqual(9)
    }
    expect(allComments.filter(({ comment }) => comment.trim() === '')).toEqual([])
  })

  test('a file has a unique name, an extension of its kind, and content', () => {
    expect(new Set(allFiles.map((file) => file.name)).size).toBe(allFiles.length)
    for (const { kind, name, title, text } of allFiles) {
      expect(name).toMatch(kind === 'picture' ? /^[^/]+\.(jpg|png)$/ : /^[^/]+\.txt$/)
      expect(kind === 'picture' ? title : text).toBeTruthy()
    }
  })
})

test('feedback is by participants or anonymous, on events or on the summit', () => {
  expect(feedback.every(({ by }) => by === null || isPerson(by))).toBe(true)
  expect(feedback.every(({ event }) => event === null || event in sample)).toBe(true)
  const rated = feedback.map(({ by, event }) => `${by} on ${event}`)
  expect(new Set(rated).size).toBe(rated.length)
})
