import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'
import { feedback } from './feedback.ts'
import { initializeSummit } from './initialize.ts'
import { topics } from './newsfeed.ts'
import { people } from './people.ts'
import { events } from './program.ts'
import type { SampleComment, SampleFile } from './shapes.ts'

// An ordinary day, the end of a leap February, the end of a year, and the day before a clock change.
const firstDays = ['2030-05-14', '2028-02-28', '2030-12-31', '2030-03-30']
const sample = events('2030-05-14')

const isPerson = (index: number) => Number.isInteger(index) && index in people
const fullNames = people.map((person) => `${person.first_name} ${person.last_name}`)
const allComments: SampleComment[] = topics.flatMap((topic) => topic.comments)
const allFiles: SampleFile[] = [...topics, ...allComments].flatMap((post) => post.files ?? [])
const allText = JSON.stringify([people, sample, topics, feedback])

function ascending(numbers: number[]): boolean {
  return numbers.every((number, i) => number >= (numbers[i - 1] ?? 0))
}

function isValidTimestamp(stamp: string): boolean {
  const date = new Date(`${stamp.replace(' ', 'T')}Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19).replace('T', ' ') === stamp
}

test('the sample has its full size', () => {
  expect([people.length, sample.length, topics.length, feedback.length]).toEqual([48, 16, 24, 30])
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
      const { date_from, date_to } = event
      if (date_from === null || date_to === null) {
        expect([date_from, date_to, event.program]).toEqual([null, null, []])
        continue
      }
      expect([date_from, date_to].every(isValidTimestamp)).toBe(true)
      expect(date_from < date_to && date_from >= firstDay && date_to <= lastMoment).toBe(true)
      const moments = event.program.flatMap(({ date, activities }) => activities.map(({ time }) => `${date} ${time}`))
      expect(moments.every((moment) => isValidTimestamp(moment) && moment >= date_from)).toBe(true)
      expect(moments).toEqual(moments.toSorted())
    }
  })

  test('rejects an invalid first day', () => {
    expect(() => events('soon')).toThrow(RangeError)
  })

  test('a session in the room of a track is in the schedule of that track', () => {
    const tracks = sample.filter((event) => event.program.length > 0)
    const inTrackRooms = sample.filter(
      (event) => event.program.length === 0 && tracks.some((track) => track.venue === event.venue),
    )
    const listed = tracks.flatMap(({ venue, program }) =>
      program.flatMap(({ date, activities }) => activities.map(({ title, time }) => [venue, `${date} ${time}`, title])),
    )
    expect(inTrackRooms).toHaveLength(11)
    for (const { venue, date_from, title } of inTrackRooms) expect(listed).toContainEqual([venue, date_from, title])
  })

  test('speakers are participants with the same position and company', () => {
    for (const { speaker, position, company } of sample.filter((event) => event.speaker !== '')) {
      const speakers = speaker.split(', ')
      expect(fullNames).toEqual(expect.arrayContaining(speakers))
      const designations = speakers.map((name) => people[fullNames.indexOf(name)]?.designation)
      if (speakers.length === 1) expect(designations).toEqual([`${position}, ${company}`])
      else expect(designations.map((designation) => designation?.split(', ')[1]).join(', ')).toBe(company)
    }
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
