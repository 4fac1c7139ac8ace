import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { dateOf, timeOf } from './calendar.ts'
import { conference, rooms, tracks } from './conference.ts'
import { feedback } from './feedback.ts'
import { topics } from './newsfeed.ts'
import { people } from './people.ts'
import { portraits, scenes } from './pictures.ts'
import { events as sample } from './program.ts'
import type { SampleComment, SampleFile } from './shapes.ts'
import { speakers } from './speakers.ts'

const scheduled = sample.flatMap(({ from = '', to = '', day, ...session }) =>
  day === null ? [] : { ...session, day, from: timeOf('2030-05-14', day, from), to: timeOf('2030-05-14', day, to) },
)

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

test('the sample has its full size', () => {
  expect([people.length, sample.length, topics.length, feedback.length]).toEqual([48, 55, 24, 30])
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
  test.each([
    ['2030-05-14', '2030-05-16'],
    ['2028-02-28', '2028-03-01'],
    ['2030-12-31', '2031-01-02'],
  ])('a summit that starts on %s ends on %s', (firstDay, lastDay) => {
    expect(dateOf(firstDay, 2)).toBe(lastDay)
    expect(timeOf(firstDay, 1, '24:15')).toBe(`${lastDay} 00:15:00`)
  })

  test('rejects an invalid first day', () => {
    expect(() => dateOf('soon', 0)).toThrow(RangeError)
  })

  test('sessions are in the order of their start, end after it, and contain their parts', () => {
    for (const sessions of Map.groupBy(scheduled, ({ day }) => day).values())
      expect(sessions.map(({ from }) => from)).toEqual(sessions.map(({ from }) => from).toSorted())
    for (const { title, from, to, day, parts = [] } of scheduled) {
      expect(from < to, title).toBe(true)
      const starts = parts.map(({ time }) => timeOf('2030-05-14', day, time))
      expect(starts, title).toEqual(starts.filter((start) => start >= from && start < to).toSorted())
    }
  })

  test('a session is on in all but two hours of each day from 8:00 to 23:00, and several in most', () => {
    for (const day of [0, 1, 2]) {
      const hours = Array.from({ length: 15 }, (_, hour) =>
        timeOf('2030-05-14', day, `${String(hour + 8).padStart(2, '0')}:30`),
      )
      const counts = hours.map((hour) => scheduled.filter(({ from, to }) => from <= hour && hour < to).length)
      expect(counts.filter((count) => count === 0).length, `${day}: ${counts}`).toBeLessThanOrEqual(2)
      expect(Math.max(...counts), `${day}: ${counts}`).toBeGreaterThanOrEqual(2)
    }
  })

  test('no room and no speaker is in two sessions at the same time, before the release and after it', () => {
    const before = scheduled
    const after = scheduled.flatMap(({ movesTo, isCancelled, ...session }) =>
      isCancelled ? [] : { ...session, room: movesTo ?? session.room },
    )
    for (const sessions of [before, after])
      for (const one of sessions) {
        const others = sessions.filter((other) => other !== one && other.from < one.to && one.from < other.to)
        const taken = others.flatMap(({ room, speakers = [] }) => [room, ...speakers])
        const isTaken = (who: unknown) => who === one.room || one.speakers?.some((speaker) => speaker === who)
        expect(taken.filter(isTaken), one.title).toEqual([])
      }
  })

  test('every session begins and ends with a slot', () => {
    for (const { title, from, to } of scheduled)
      for (const time of [from, to]) expect(Number(time.slice(14, 16)) % conference.slot_minutes, title).toBe(0)
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

  test('HTML consists of closed paragraphs and lists', () => {
    for (const html of sample.flatMap((event) => [event.description, event.details])) {
      expect(html).toMatch(/^(<p>.*<\/(p|ul|ol)>)?$/s)
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

  test('comments ascend, those of the first day before its midnight and all others before the first start', () => {
    for (const { comments, posted, header } of topics) {
      const minutes = comments.map((comment) => comment.minutesAfter)
      expect(ascending([1, ...minutes]), header).toBe(true)
      const [hours = 0, past = 0] = 'firstDay' in posted ? posted.firstDay.split(':').map(Number) : []
      const left = 'firstDay' in posted ? 24 * 60 - (hours * 60 + past) : posted.minutesAgo
      expect(minutes.at(-1) ?? 0, header).toBeLessThan(left)
    }
  })

  test('a topic has a header and 0 to 9 comments that are not blank', () => {
    for (const { header, comments } of topics) {
      expect(header.trim()).not.toBe('')
      expect(comments.length).toBeLessThanOrEqual(9)
    }
    expect(allComments.filter(({ comment }) => comment.trim() === '')).toEqual([])
  })

  test('a file has a unique name with an extension of its kind', () => {
    expect(new Set(allFiles.map((file) => file.name)).size).toBe(allFiles.length)
    for (const file of allFiles) expect(file.name).toMatch('text' in file ? /^[^/]+\.txt$/ : /^[^/]+\.webp$/)
  })
})

describe('pictures', () => {
  test('there is one for each speaker and everybody who posts but one, each is used, and all take at most 300 KB', async () => {
    const posting = new Set([...topics, ...allComments].map(({ by }) => by))
    const without = people.filter(({ portrait }, index) => !portrait && posting.has(index))
    expect(without.map(({ last_name }) => last_name)).toEqual(['Poku-Mensima'])
    expect(new Set(people.flatMap(({ portrait }) => portrait ?? [])).size).toBe(Object.keys(portraits).length)
    const used = new Set([
      ...allFiles.flatMap((file) => ('picture' in file ? file.picture : [])),
      ...sample.map(({ banner }) => banner),
    ])
    expect(Object.keys(scenes).filter((name) => !used.has(name as keyof typeof scenes))).toEqual([])
    const sizes = await Promise.all(
      [...Object.values(portraits), ...Object.values(scenes)].map(async (url) => (await stat(url)).size),
    )
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(300_000)
  })
})

test('feedback is by participants or anonymous, on sessions of the first day or on the summit', () => {
  expect(feedback.every(({ by }) => by === null || isPerson(by))).toBe(true)
  expect(
    feedback.every(({ event }) => event === null || sample.some(({ title, day }) => title === event && day === 0)),
  ).toBe(true)
  const rated = feedback.map(({ by, event }) => `${by} on ${event}`)
  expect(new Set(rated).size).toBe(rated.length)
})
