import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from './detect.ts'
import { parseFixture } from './programs.fixtures.ts'

const parse = (text: string, name = 'a.json') => parseProgram(text, name, defaultLimits)
const parseJson = (file: unknown) => parse(JSON.stringify(file, null, 1))
const messages = (file: unknown) => parseJson(file).warnings.map(({ message }) => message)

describe('Pentabarf XML', () => {
  const { sessions, warnings } = parseFixture('pentabarf.xml')

  test('has events directly below the day, with the room inside, or rooms that are grouped', () => {
    expect(warnings).toMatchObject([])
    expect(sessions).toMatchObject([
      {
        key: '101',
        title: 'Opening',
        room: 'Gletscher',
        startsAt: '2009-03-14 09:00:00',
        endsAt: '2009-03-14 09:30:00',
      },
      { key: '102', room: 'Keller' },
      { key: '103', room: 'Lärche', startsAt: '2009-03-15 10:15:00' },
    ])
    expect(sessions[0]?.speakers).toMatchObject([{ name: 'Mira Solari', key: '1' }])
  })

  test('has a time at which the day changes; sessions before it are in the night after their day', () => {
    expect(sessions[1]).toMatchObject({ day: '2009-03-14', startsAt: '2009-03-15 01:30:00' })
  })
})

test('a schedule inside another element, and events outside of any day, are found', () => {
  const event = '<event id="1"><date>2031-03-14T09:00:00+01:00</date><duration>00:30</duration><title>A</title></event>'
  for (const xml of [
    `<response><schedule><day>${event}</day></schedule></response>`,
    `<schedule>${event}</schedule>`,
  ]) {
    expect(parse(xml, 'a.xml').sessions).toMatchObject([{ key: '1', startsAt: '2031-03-14 09:00:00' }])
  }
})

test('a frab schedule.json may list its rooms and have the time at which the day changes', () => {
  const event = { id: 1, title: 'Night', start: '01:00', duration: '00:30' }
  const days = [{ date: '2031-03-14', rooms: [{ name: 'Keller', events: [event] }] }]
  expect(parseJson({ conference: { day_change: '04:00', days } }).sessions).toMatchObject([
    { room: 'Keller', day: '2031-03-14', startsAt: '2031-03-15 01:00:00' },
  ])
})

describe('the API of pretalx', () => {
  test('returns a schedule with slots, which are talks, breaks, and talks that are given again', () => {
    const { format, sessions, warnings } = parseFixture('pretalx-slots.json')
    expect(format).toBe('pretalx schedule (JSON)')
    expect(sessions).toMatchObject([
      {
        key: 'OPEN',
        title: 'Opening',
        room: 'Gletscher',
        startsAt: '2031-03-14 09:00:00',
        endsAt: '2031-03-14 09:30:00',
      },
      { key: 'slot-32', title: 'Coffee', speakers: [] },
      { key: 'OPEN-2', title: 'Opening', room: 'Lärche', startsAt: '2031-03-15 09:00:00' },
    ])
    expect(sessions[0]?.speakers).toMatchObject([{ name: 'Mira Solari' }])
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Session “Opening” has the same id \(OPEN\) as “Opening” in line 5, at another time or place/,
      ),
    ])
  })

  test('returned older schedules with talks that have a slot, and with breaks', () => {
    const slot = { room: { en: 'Gletscher' }, start: '2031-03-14T09:00:00+01:00', end: '2031-03-14T09:30:00+01:00' }
    const file = {
      slots: [{ code: 'OPEN', title: 'Opening', speakers: [{ name: 'Mira Solari' }], slot }],
      breaks: [
        { room: { en: 'Gletscher' }, start: slot.end, end: '2031-03-14T10:00:00+01:00', description: { en: 'Coffee' } },
      ],
    }
    expect(parseJson(file).sessions).toMatchObject([
      { key: 'OPEN', room: 'Gletscher' },
      { title: 'Coffee', room: 'Gletscher', startsAt: '2031-03-14 09:30:00' },
    ])
  })

  test('returns a page of slots', () => {
    const slot = {
      id: 1,
      start: '2031-03-14T09:00:00+01:00',
      end: null,
      submission: { code: 'A', title: 'T' },
      duration: 30,
    }
    expect(parseJson({ count: 1, results: [slot] }).sessions).toMatchObject([
      { key: 'A', endsAt: '2031-03-14 09:30:00' },
    ])
  })

  test('has only numbers without expand, which is said once', () => {
    const expand = 'add ?expand=slots,slots.room,slots.submission,slots.submission.speakers to its address'
    expect(messages({ version: '1', slots: [1, 2, 3] })).toEqual([
      `The file has only the numbers of its slots (3). Fetch it again: ${expand}.`,
    ])
    const slots = [
      { start: '2031-03-14T09:00:00Z', submission: 'ABC' },
      { start: '2031-03-14T09:00:00Z', submission: 'DEF' },
    ]
    expect(messages({ slots })).toEqual([`The file has only the codes of its talks. Fetch it again: ${expand}.`])
  })
})

describe('a file without sessions', () => {
  test('says so only if there are none', () => {
    for (const file of [
      '<schedule><day date="2031-03-14"/></schedule>',
      '{"slots": []}',
      '{"conference": {"days": []}}',
      'Title,Start',
    ])
      expect(parse(file).warnings, file).toEqual([{ line: 1, message: 'The file contains no sessions.' }])
  })

  test('says what it has instead, and what is expected', () => {
    const xml = '<schedule><day date="2031-03-14"><talk/><talk/><break/></day></schedule>'
    expect(parse(xml, 'a.xml').warnings).toEqual([
      {
        line: 1,
        message:
          'No <event> was found in <schedule>, but 1 <day>, 2 <talk>, 1 <break>. Expected: <schedule> with <day>, <room> and <event>.',
      },
    ])
    expect(parse('<rss><channel/></rss>', 'a.xml').warnings[0]?.message).toMatch(
      /^This XML file is a <rss>, not in a supported format\. Supported: a Pentabarf, frab/,
    )
    const days = [{ date: '2031-03-14', tracks: { A: [{}] } }]
    expect(messages({ schedule: { conference: { days } } })).toEqual([
      'The days have no events in “rooms”, but: “date”, “tracks”. Expected: schedule → conference → days → rooms → a list of events.',
    ])
    expect(messages({ talks: [{ name: 'A', text: 'soon' }] })[0]).toMatch(
      /^“a\.json” is JSON, but not in a supported format: it has “talks” \(a list of objects with “name”, “text”\)\. Supported: /,
    )
  })
})

test('the same ID at another time or place is a second session, and the same session twice is one', () => {
  const { sessions, warnings } = parse(
    [
      'Id,Title,Start,Room',
      '1,A,2031-03-14 09:00,R',
      '1,A,2031-03-15 09:00,R',
      '1,A,2031-03-14 09:00,R',
      '1,A,2031-03-16 09:00,R',
    ].join('\n'),
  )
  expect(sessions.map(({ key, startsAt }) => [key, startsAt.slice(0, 10)])).toEqual([
    ['1', '2031-03-14'],
    ['1-2', '2031-03-15'],
    ['1-3', '2031-03-16'],
  ])
  expect(warnings).toMatchObject([
    {
      line: 3,
      message:
        'Session “A” has the same id (1) as “A” in line 2, at another time or place; it is a second session with the id 1-2.',
    },
    { line: 4, message: 'Session “A” has the same id (1), start and room as “A” in line 2; skipped.' },
    {
      line: 5,
      message:
        'Session “A” has the same id (1) as “A” in line 2, at another time or place; it is a second session with the id 1-3.',
    },
  ])
})
