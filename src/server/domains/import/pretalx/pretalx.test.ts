import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { parseInventedProgram, speakerWith } from '../formats/programs.fixtures.ts'

const slot = (start: string, end: string) => ({ room_id: 1, room: { en: 'Hall', fr: 'Salle' }, start, end })
const parse = (file: unknown) => parseProgram(JSON.stringify(file, null, 1), 'talks.json', defaultLimits)

describe('pretalx talks', () => {
  test('responses of older and newer API versions are read', () => {
    const { format, sessions, warnings } = parse({
      results: [
        {
          ...{ code: 'AAA', title: { fr: 'Bonjour', en: 'Hello' }, abstract: 'Short', description: 'Long' },
          ...{
            speakers: [{ code: 'X', name: 'Ada' }],
            slot: slot('2025-05-01T10:00:00+02:00', '2025-05-01T10:30:00+02:00'),
          },
        },
        {
          ...{ code: 'BBB', title: 'Twice', duration: 45, speakers: [], state: 'confirmed' },
          slots: [
            { start: '2025-05-01T11:00:00+02:00', end: null, room: { id: 2, name: { en: 'Lab' } } },
            { start: '2025-05-02T01:00:00+02:00', end: '2025-05-02T02:00:00+02:00', room: null },
          ],
        },
      ],
    })
    expect(format).toBe('pretalx talks (JSON)')
    expect(warnings).toEqual([])
    expect(sessions.map(({ key, title, room, startsAt, endsAt }) => [key, title, room, startsAt, endsAt])).toEqual([
      ['AAA', 'Hello', 'Hall', '2025-05-01 10:00:00', '2025-05-01 10:30:00'],
      ['BBB', 'Twice', 'Lab', '2025-05-01 11:00:00', '2025-05-01 11:45:00'],
      ['BBB-2', 'Twice', '', '2025-05-02 01:00:00', '2025-05-02 02:00:00'],
    ])
    expect(sessions[0]).toMatchObject({ description: '<p>Short</p>', details: '<p>Long</p>' })
    expect(sessions[0]?.speakers).toEqual([speakerWith({ name: 'Ada', key: 'X' })])
  })

  test('the data of the schedule widget, where talks refer to rooms and speakers by id, is read', () => {
    const { sessions, warnings } = parse({
      timezone: 'Europe/Paris',
      rooms: [{ id: 5, name: { en: 'Blue' } }],
      speakers: [{ code: 'X', name: 'Ada' }],
      talks: [
        {
          code: 'A',
          title: 'T',
          room: 5,
          speakers: ['X', 'Y', 'Z'],
          start: '2025-07-01T08:00:00Z',
          end: '2025-07-01T09:00:00Z',
        },
      ],
    })
    expect(sessions[0]).toMatchObject({ room: 'Blue', startsAt: '2025-07-01 10:00:00' })
    expect(sessions[0]?.speakers.map(({ name }) => name)).toEqual(['Ada'])
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('only by a code')])
  })

  test('an exported page of talks has their tracks, types, languages, tags, speakers, rooms and public attachments', () => {
    const { sessions, rooms, tracks, warnings } = parseInventedProgram('pretalx talks (JSON)')
    expect(warnings).toEqual([])
    expect(sessions).toMatchObject([
      {
        ...{ key: 'T00', code: 'T00', track: 'Plenary', type: 'Ceremony', language: 'en', doNotRecord: false },
        ...{ tags: ['welcome', 'coffee'], room: 'Glacier' },
        links: [{ rel: 'attachment', title: 'Slides', url: 'https://talks.example/media/opening.pdf' }],
        speakers: [
          {
            ...{ name: 'Mira Solari', key: 'MIRA', photo: 'https://talks.example/media/mira.jpg' },
            biography: '<p>Mira builds <strong>boats</strong>.</p>',
          },
          { name: 'Jon Bergé', key: 'JON', photo: '', biography: '' },
        ],
      },
      {
        ...{ key: 'T01', track: 'Build & Repair', type: 'Workshop', language: 'de', doNotRecord: true },
        ...{ tags: ['hands-on'], room: 'Larch' },
      },
      { key: 'T01-2', track: 'Build & Repair', room: '' },
    ])
    expect(rooms).toEqual([
      {
        ...{ name: 'Larch', key: '681C1811-9220-5CA0-8A24-1292B31423D7', capacity: 24, description: 'In the basement' },
        guid: '681c1811-9220-5ca0-8a24-1292b31423d7',
      },
    ])
    expect(tracks).toEqual([{ name: 'Build & Repair', color: '#0a7e5c' }])
  })

  test('the widget has tracks and the conference, too; what has only a number elsewhere is left out', () => {
    const talk = {
      title: 'T',
      start: '2025-07-01T08:00:00Z',
      end: '2025-07-01T09:00:00Z',
      submission_type: 3,
      tags: [8],
    }
    const { sessions, tracks, conference } = parse({
      ...{ timezone: 'Europe/Paris', event_start: '2025-07-01', event_end: '2025-07-03' },
      tracks: [
        { id: 2, name: { en: 'Sea', fr: 'Mer' }, color: '#00f' },
        { id: 1, name: 'Sky', color: 'sky blue' },
      ],
      talks: [
        { ...talk, code: 'A', track: 1 },
        { ...talk, code: 'B', track: 9 },
      ],
    })
    expect(sessions).toMatchObject([
      { code: 'A', track: 'Sky', type: '', tags: [] },
      { code: 'B', track: '' },
    ])
    expect(tracks).toEqual([
      { name: 'Sea', color: '#0000ff' },
      { name: 'Sky', color: '' },
    ])
    expect(conference).toMatchObject({ timeZone: 'Europe/Paris', firstDay: '2025-07-01', lastDay: '2025-07-03' })
  })

  test('of hostile values, those of no use are left out and the others shortened', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `tag ${n}`)
    const { sessions, rooms, tracks } = parse([
      {
        ...{
          code: 'A',
          title: 'T',
          content_locale: 'not a language',
          tags: [...many, {}, null, []],
          do_not_record: [],
        },
        ...{
          track: { name: { en: 7 }, color: 'javascript:' },
          submission_type: { id: 1 },
          guid: 'x',
          resources: [7, {}],
        },
        speakers: [{ code: 'X', name: 'Ada', biography: 'b'.repeat(1_000_000), avatar: 'javascript:alert(1)' }],
        slot: {
          ...{ start: '2025-07-01T08:00:00Z', end: '2025-07-01T09:00:00Z' },
          room: { id: {}, name: 'Hall', capacity: -5, guid: [], description: 'd'.repeat(1_000_000) },
        },
      },
    ])
    expect(sessions).toMatchObject([{ language: '', track: '', type: '', guid: '', links: [], doNotRecord: false }])
    expect(sessions[0]?.tags).toHaveLength(50)
    expect(sessions[0]?.speakers).toMatchObject([{ name: 'Ada', photo: '' }])
    expect(sessions[0]?.speakers[0]?.biography).toHaveLength('<p></p>'.length + 100_000)
    expect(rooms).toEqual([{ name: 'Hall', key: '', guid: '', capacity: 0, description: 'd'.repeat(1_000) }])
    expect(tracks).toEqual([])
  })

  test('of a talk with more than 100 slots the first 100 are imported, which is reported', () => {
    const slots = Array.from({ length: 101 }, (_, at) => ({
      start: `2025-05-01T10:00:${10 + (at % 50)}`,
      room: `R${at}`,
    }))
    const { sessions, warnings } = parse({ results: [{ code: 'A', title: 'Numbers', slots }] })
    expect(sessions).toHaveLength(100)
    expect(sessions.at(-1)).toMatchObject({ key: 'A-100', room: 'R99' })
    expect(warnings.map(({ message }) => message)).toEqual([
      'Session “Numbers” has 101 slots; only the first 100 were imported.',
    ])
  })

  test('unscheduled talks and missing pages are reported', () => {
    const { sessions, warnings } = parse({
      ...{ count: 250, next: 'https://pretalx.example/?page=2' },
      results: [
        { code: 'A', title: 'Numbers', slots: [17], state: 'confirmed' },
        { code: 'B', title: 'Rejected', state: 'rejected' },
        {
          code: 'C',
          title: 'Off',
          state: 'canceled',
          slot: slot('2025-05-01T10:00:00+02:00', '2025-05-01T11:00:00+02:00'),
        },
        { code: 'D', title: 'Backwards', slot: slot('2025-05-01T10:00:00+02:00', '2025-05-01T09:00:00+02:00') },
      ],
    })
    expect(sessions).toEqual([expect.objectContaining({ key: 'C', cancelled: true })])
    expect(warnings.map(({ message }) => message)).toEqual([
      'The file is one page of several: it has 4 of 250 talks.',
      expect.stringMatching(/“Numbers” has no start time because .*expand=slots/),
      'Session “Rejected” has the status “rejected”; skipped.',
      'Session “Backwards” ends (2025-05-01 09:00:00) before it starts (2025-05-01 10:00:00); skipped.',
    ])
    expect(warnings.map(({ line }) => line)).toEqual(warnings.map(({ line }) => line).toSorted((a, b) => a - b))
  })
})

describe('day grid derived from pretalx', () => {
  test('the day comes from the grid, and the time from the slot, else from the minute', () => {
    const { format, sessions, warnings } = parse({
      rooms: [{ id: 7, name: { en: 'Red' } }],
      schedule: {
        '2024-11-02': {
          510: {},
          540: {
            1: { code: 'A', title: 'Slot', slot: slot('2024-11-02T09:00:00+01:00', '2024-11-02T09:30:00+01:00') },
          },
          600: { 7: { code: 'B', title: 'Minute', duration: 25 } },
          1439: {
            1: { code: 'N', title: 'Night', slot: slot('2024-11-03T00:30:00+01:00', '2024-11-03T01:00:00+01:00') },
          },
          noon: { 1: { code: 'X', title: 'Lost' } },
        },
      },
      extra: { '2024-11-02': { 750: { id: 'lunch', title: { fr: 'Déjeuner', en: 'Lunch' } } } },
    })
    expect(format).toBe('day grid derived from pretalx (JSON)')
    expect(sessions.map(({ key, day, startsAt, endsAt, room }) => [key, day, startsAt, endsAt, room])).toEqual([
      ['A', '2024-11-02', '2024-11-02 09:00:00', '2024-11-02 09:30:00', 'Hall'],
      ['B', '2024-11-02', '2024-11-02 10:00:00', '2024-11-02 10:25:00', 'Red'],
      ['N', '2024-11-02', '2024-11-03 00:30:00', '2024-11-03 01:00:00', 'Hall'],
      ['lunch', '2024-11-02', '2024-11-02 12:30:00', '2024-11-02 12:30:00', ''],
    ])
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('“noon” is not a minute')])
  })

  test('an exported grid has its talks, sprints and breaks', () => {
    const { sessions, rooms, warnings } = parseInventedProgram('day grid derived from pretalx (JSON)')
    expect(warnings).toEqual([])
    expect(sessions.map(({ key }) => key).join(' ')).toBe(
      'C00 C01 C03 C04 C07 C08 C10 C02 friday-breakfast friday-lunch',
    )
    expect(sessions.find(({ key }) => key === 'C00')).toMatchObject({
      ...{ title: 'Opening & Welcome', room: 'Gletscher', description: expect.stringContaining('The team greets') },
      ...{ startsAt: '2031-02-14 09:30:00', endsAt: '2031-02-14 10:00:00' },
      speakers: [
        speakerWith({
          ...{ name: 'Mira Solari', key: '04A4C5', photo: 'https://talks.example/media/mira.jpg' },
          biography: expect.stringContaining('Mira builds boats.'),
        }),
        speakerWith({ name: 'Jon Bergé', key: '925F48' }),
      ],
    })
    expect(sessions.find(({ key }) => key === 'C02')).toMatchObject({ day: '2031-02-13', room: 'Lärche' })
    expect(sessions.find(({ key }) => key === 'C01')).toMatchObject({
      ...{ track: 'Sky', type: 'Talk', language: 'en', tags: ['snow'], code: 'C01' },
    })
    expect(rooms.map(({ name, guid, capacity, description }) => [name, guid, capacity, description])).toEqual([
      ['Gletscher', 'ecef0da5-bf5a-50c8-90b6-c9ebd2ab9041', 180, ''],
      ['Lärche', '681c1811-9220-5ca0-8a24-1292b31423d7', 0, 'Werkraum'],
    ])
  })
})

test('an exported schedule has the tracks and types of its talks, and rooms as they are described', () => {
  const { sessions, rooms, tracks, warnings } = parseInventedProgram('pretalx schedule (JSON)')
  expect(warnings).toMatchObject([{ message: expect.stringContaining('it is a second session with the id OPEN-2') }])
  expect(sessions.map(({ key, track, type, language, tags }) => [key, track, type, language, tags])).toEqual([
    ['OPEN', 'Plenary', 'Ceremony', 'en', []],
    ['slot-32', '', '', '', []],
    ['OPEN-2', 'Plenary', 'Ceremony', 'en', []],
  ])
  expect(sessions[0]?.speakers).toMatchObject([{ key: 'MIRA', photo: 'https://talks.example/media/mira.jpg' }])
  expect(rooms).toMatchObject([
    { name: 'Gletscher', capacity: 180, description: 'The large hall' },
    { name: 'Lärche', key: '8' },
  ])
  expect(tracks).toEqual([{ name: 'Plenary', color: '#2244ff' }])
})
