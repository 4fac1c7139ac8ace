import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { event, parseCalendar, parseInventedProgram } from '../formats/programs.fixtures.ts'
import type { ParsedProgram } from '../source.ts'

const named = ({ unused }: ParsedProgram) => unused.map(({ name, count }) => `${name} ${count}`)

const unusedIn = (file: unknown) => named(parseProgram(JSON.stringify(file), 'a.json', defaultLimits))

const talk = { guid: 'a', date: '2031-03-14T09:00:00+01:00', start: '09:00', duration: '00:30', title: 'Snow' }

/** A schedule.json with these events in two rooms each. */
const frab = (...events: object[]) => ({
  schedule: { conference: { days: [{ rooms: { Hall: events, Lab: events } }] } },
})

describe('what a program has beside its sessions is counted', () => {
  test('in a schedule.json by member and owner, whatever the names of the rooms, the most frequent first', () => {
    const logos = { ...talk, feedback: 'no', logo: '/a.png', links: [{ title: 'a', url: 'b' }, { title: 'c' }] }
    const { schedule } = frab({ ...talk, logo: '/b.png' }, logos, talk)
    const conference = { ...schedule.conference, acronym: 'amd', tracks: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] }
    expect(unusedIn({ schedule: { ...schedule, version: 1, conference } })).toEqual([
      ...['event.logo 4', 'event.feedback 2', 'schedule.version 1'],
    ])
  })

  test('in a schedule.xml by elements and attributes, without those of its syntax', () => {
    const xml = `<schedule xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="2">
      <conference><title>Camp</title><track name="A" color="red"/><track name="B"/></conference>
      <day date="2031-03-14" index="1"><room name="Hall" guid="r1">
        <event guid="a"><start>09:00</start><title>Snow</title><room>Hall</room><logo>/a.png</logo><logo/>
          <abstract>Bring <b class="x">boots</b></abstract>
          <persons><person id="7">Ada</person><person id="8">Alan</person></persons>
          <links><link href="https://x.example">A</link></links></event>
        <event guid="b"><start>10:00</start><title>Ice</title><logo>/b.png</logo></event>
      </room></day></schedule>`
    expect(named(parseProgram(xml, 'schedule.xml', defaultLimits))).toEqual([
      ...['event.logo 2', 'version 1', 'day.index 1'],
    ])
  })

  test('in the data of Sessionize also the answers to questions that are not read', () => {
    const session = { id: '1', title: 'Snow', startsAt: '2031-03-14T09:00:00', roomId: 1, speakers: ['s'] }
    const answers = [
      { questionId: 1, answerValue: 'ACME' },
      { questionId: 2, answerValue: 'M' },
    ]
    expect(
      unusedIn({
        sessions: [{ ...session, categoryItems: [7, 8], isServiceSession: false, isInformed: true }],
        categories: [
          {
            id: 1,
            title: 'Level',
            items: [
              { id: 7, name: 'All' },
              { id: 8, name: 'Yes' },
            ],
            sort: 0,
            type: 'session',
          },
          { id: 2, title: 'First time?', items: [{ id: 9, name: 'Yes' }], type: 'speaker' },
        ],
        speakers: [{ id: 's', firstName: 'Ada', lastName: 'L', fullName: 'Ada L', bio: 'x', questionAnswers: answers }],
        questions: [
          { id: 1, question: 'Company', questionType: 'Text' },
          { id: 2, question: 'T-shirt', questionType: null },
        ],
        rooms: [{ id: 1, name: 'Hall', sort: 0 }],
      }),
    ).toEqual([
      ...['categories.id 2', 'sessions.isInformed 1', 'categories.title 1', 'items.id 1', 'items.name 1'],
      ...['categories.sort 1', 'questionAnswers.answerValue 1', 'questions.questionType 1', 'rooms.sort 1'],
    ])
  })

  test('in the formats of pretalx, whatever the days, minutes and rooms of a grid', () => {
    expect(named(parseInventedProgram('pretalx schedule (JSON)'))).toEqual([
      ...['slots.id 2', 'submission_type.id 2', 'track.id 2', 'submission.tags 2', 'id 1', 'version 1'],
    ])
    const slot = { room_id: 1, room: { en: 'Hall' }, start: '2031-03-14T09:00:00Z', end: '2031-03-14T09:30:00Z' }
    const gridTalk = { code: 'A', title: 'Snow', duration: 30, slot, track: { en: 'Science' } }
    expect(
      unusedIn({
        schedule: { '2031-03-14': { 540: { 1: gridTalk, 2: { ...gridTalk, code: 'B' } } } },
        extra: { '2031-03-14': { 600: { id: 'x', title: 'Break', icon: 'cup' } } },
      }),
    ).toEqual(['talk.icon 1'])
    expect(named(parseInventedProgram('pretalx talks (JSON)'))).toEqual([
      ...['tags.id 2', 'submission_type.id 1', 'submission_type.default_duration 1', 'track.id 1'],
      ...['track.position 1', 'tags.tag 1'],
    ])
  })

  test('in a calendar by property, of its events', () => {
    const lines = ['DTSTART:20310314T080000', 'DTEND:20310314T090000', 'CLASS:PUBLIC', 'RRULE:FREQ=DAILY;COUNT=2']
    expect(
      named(
        parseCalendar(
          'PRODID:x',
          ...event('1', ...lines),
          ...event('2', ...lines, 'URL:', 'GEO:1;2', 'EXRULE:FREQ=DAILY'),
        ),
      ),
    ).toEqual(['CLASS 2', 'GEO 1', 'EXRULE 1'])
  })
})

test('values that are null, blank or empty are not counted, and 0 and false are', () => {
  const empty = { a: null, b: ' ', c: [], d: {}, e: [[], {}, ''], f: { g: [{ h: null }] } }
  expect(unusedIn(frab({ ...talk, ...empty, zero: 0, no: false }))).toEqual(['event.zero 2', 'event.no 2'])
})

test('a member for which another one is used counts as read, and so do the languages of a text', () => {
  const persons = [{ public_name: 'Ada', name: 'Ada L' }, { name: 'Alan' }]
  const texts = { title: { de: 'Schnee', en: 'Snow' }, status: 'confirmed', state: 'accepted', code: 'X', id: 7 }
  expect(unusedIn(frab({ ...talk, ...texts, persons }))).toEqual([])
})

test('a member that was only looked for, to recognize the format, counts as not imported', () => {
  const file = { days: 3, slots: 'many', results: 'none', talks: [{ name: 'Snow', start: '2031-03-14 09:00' }] }
  expect(unusedIn(file)).toEqual(['days 1', 'slots 1', 'results 1'])
})

test('a member that some sessions have as text and others with members of its own is counted once for each', () => {
  const persons = [{ name: 'Ada', web: 'https://x.example' }, { name: 'Alan', web: { url: 'a', title: 'b' } }, 'Grace']
  expect(unusedIn(frab({ ...talk, persons }))).toEqual(['persons.web 4', 'event.persons 2'])
})

test('names with other characters are quoted, and long ones shortened', () => {
  const long = 'x'.repeat(1_000)
  const [first, second] = unusedIn(frab({ ...talk, 'a, b\n2': 'x', [long]: 'x' }))
  expect(first).toBe('“event.a, b 2” 2')
  expect(second).toMatch(/^“event\.x{53}…” 2$/)
})

describe('a hostile file is read within seconds', () => {
  const read = (text: string) => {
    const started = cpuTime()
    const { unused } = parseProgram(text, 'a', defaultLimits)
    expect(cpuTime() - started).toBeLessThan(5_000)
    return unused
  }

  test('with 100,000 names in one event, of which 500 are listed and the others counted', () => {
    const members = Array.from({ length: 100_000 }, (_, n) => [`m${n}`, n] as const)
    const unused = read(
      JSON.stringify({ schedule: { conference: { days: [{ rooms: { A: [Object.fromEntries(members)] } }] } } }),
    )
    expect(unused).toHaveLength(501)
    expect(unused.at(0)).toEqual({ name: 'event.m0', count: 1 })
    expect(unused.at(-1)).toEqual({ name: '99500 other names', count: 99_500 })
    const attributes = members.map(([name]) => `${name}="x"`).join(' ')
    expect(
      read(`<schedule><day><room><event ${attributes}><title>A</title></event></room></day></schedule>`),
    ).toHaveLength(501)
  })

  test('with values nested 1,000 deep', () => {
    const deep = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`
    const text = `{"conference":{"days":[{"rooms":{"A":[{"title":"A","x":${deep(50)},"y":${deep(1_000)}}]}}]}}`
    expect(read(text)).toEqual([
      { name: 'event.x', count: 1 },
      { name: 'event.y', count: 1 },
    ])
    const xml = `${'<a>'.repeat(1_000)}1${'</a>'.repeat(1_000)}`
    expect(read(`<schedule>${xml}</schedule>`)).toEqual([{ name: 'a', count: 1 }])
  })
})
