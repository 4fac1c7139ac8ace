import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { inBothFormats, parseInventedProgram } from '../formats/programs.fixtures.ts'
import type { ParsedProgram } from '../source.ts'

const nothingMore = { biography: '', photo: '', links: [] }

const messages = ({ warnings }: ParsedProgram) => warnings.map(({ line, message }) => `${line}: ${message}`)

const xml = `<?xml version="1.0"?>
<schedule>
  <conference><title>Camp</title><time_zone_name>Europe/Berlin</time_zone_name></conference>
  <day index="1" date="2025-12-27" start="2025-12-27T11:00:00+01:00" end="2025-12-28T06:00:00+01:00">
    <room name="One">
      <event guid="g-1" code="OPEN1" id="1">
        <date>2025-12-27T10:30:00+01:00</date><start>10:30</start><duration>00:30</duration><room>One</room>
        <title>  Opening
          &amp; Welcome </title><subtitle>For all</subtitle>
        <abstract>First line&#13;
second &lt;3</abstract><description>Long text</description>
        <persons><person id="7">Ada  Lovelace</person><person>Alan</person></persons>
      </event>
      <event guid="g-2" id="2">
        <date>2025-12-28T00:45:00Z</date><start>01:45</start><duration>1:15</duration><title>Night shift</title>
      </event>
      <event guid="g-3" id="2"><start>02:00</start><duration>00:10</duration><title>Old export</title></event>
      <event guid="g-4" id="4"><date>2025-12-27T10:30:00+01:00</date><title> </title></event>
      <event guid="g-5" id="5"><date>2025-12-27T25:30:00+01:00</date><start>10:30</start><title>Bad time</title></event>
      <event guid="g-1" id="6"><date>2025-12-27T12:00:00+01:00</date><title>Doubled</title></event>
      <event guid="g-7" id="7"><date>2025-12-27T12:00:00+01:00</date><start>13:00</start><title>Two minds</title></event>
      <event id="8"><date>2025-12-27T12:00:00+01:00</date><duration>soon</duration><title>No guid</title></event>
      <event guid="g-9"><title>No time</title></event>
    </room>
  </day>
</schedule>`

describe('frab schedule.xml', () => {
  const program = parseProgram(xml, 'schedule.xml', defaultLimits)

  test('an event is read with its line, id, speakers, local times and texts', () => {
    expect(program.format).toBe('frab schedule.xml')
    expect(program.sessions[0]).toEqual({
      key: 'g-1',
      line: 6,
      title: 'Opening & Welcome',
      subtitle: 'For all',
      speakers: [
        { ...{ name: 'Ada Lovelace', position: '', company: '', key: '7', guid: '' }, ...nothingMore },
        { ...{ name: 'Alan', position: '', company: '', key: '', guid: '' }, ...nothingMore },
      ],
      room: 'One',
      ...{ track: '', type: '', license: '', language: '', tags: [], links: [], guid: '', code: 'OPEN1', slug: '' },
      doNotRecord: false,
      day: '2025-12-27',
      startsAt: '2025-12-27 10:30:00',
      endsAt: '2025-12-27 11:00:00',
      description: '<p>First line<br />second &lt;3</p>',
      details: '<p>Long text</p>',
      cancelled: false,
    })
  })

  test('sessions after midnight belong to the day before, with or without a date of their own', () => {
    const nights = program.sessions.filter(({ day, startsAt }) => !startsAt.startsWith(day))
    expect(nights.map(({ key, day, startsAt, endsAt }) => [key, day, startsAt, endsAt])).toEqual([
      ['g-2', '2025-12-27', '2025-12-28 01:45:00', '2025-12-28 03:00:00'],
      ['g-3', '2025-12-27', '2025-12-28 02:00:00', '2025-12-28 02:10:00'],
    ])
  })

  test('an event without a guid is identified by its id', () => {
    expect(program.sessions.at(-1)).toMatchObject({ key: '8', title: 'No guid' })
  })

  test('each invalid event is reported with its line and the message', () => {
    expect(messages(program)).toEqual([
      '18: Session “g-4” has no title; skipped.',
      '19: Session “Bad time” starts at “2025-12-27T25:30:00+01:00”, which is not a valid date and time; skipped.',
      '20: Session “Doubled” has the same id (g-1) as “Opening & Welcome” in line 6, at another time or place; it is a second session with the id g-1-2.',
      '21: Session “Two minds” has two start times, 13:00 and 2025-12-27 12:00:00; the latter was used.',
      '22: Session “No guid” has an invalid duration, “soon”; its end was set to its start.',
      '23: Session “No time” has no start time; skipped.',
    ])
  })

  test('a malformed file gets a warning with the line of the error', () => {
    const { sessions, warnings } = parseProgram(
      '<schedule>\n <day>\n  <room></day></schedule>',
      'schedule.xml',
      defaultLimits,
    )
    expect(sessions).toEqual([])
    expect(warnings).toEqual([{ line: 3, message: 'The file is not valid XML: Missing end tag for element room.' }])
  })

  test.each([
    ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]>', '&y;'],
  ])('custom entities are rejected: %s', (doctype, reference) => {
    const program = parseProgram(`${doctype}\n<schedule><title>${reference}</title></schedule>`, 'a.xml', defaultLimits)
    expect(program.warnings).toEqual([expect.objectContaining({ line: 2 })])
  })

  test('absurdly nested XML gets a warning', () => {
    expect(parseProgram('<a>'.repeat(200_000), 'a.xml', defaultLimits).warnings).toHaveLength(1)
  })

  test('a missing or unknown time zone is reported', () => {
    const zoned = (zone: string) =>
      parseProgram(
        `<schedule><conference><time_zone_name>${zone}</time_zone_name></conference><day><room>
        <event id="1"><date>2025-06-01T08:00:00Z</date><title>A</title></event></room></day></schedule>`,
        'a.xml',
        defaultLimits,
      )
    expect(zoned('Europe/Berlin').sessions[0]).toMatchObject({ startsAt: '2025-06-01 10:00:00', day: '2025-06-01' })
    expect(zoned('Europe/Berlin').warnings).toEqual([])
    expect(zoned('Mars/Olympus').sessions[0]?.startsAt).toBe('2025-06-01 08:00:00')
    expect(messages(zoned('Mars/Olympus'))[0]).toContain('Unknown time zone “Mars/Olympus”')
    expect(messages(zoned('+05:30'))[0]).toContain('Unknown time zone “+05:30”')
    expect(zoned('+05:30').conference?.timeZone ?? '').toBe('')
    expect(messages(zoned(''))[0]).toContain('UTC but the file names no time zone')
  })
})

describe('frab schedule.json', () => {
  const event = (over: object) => ({
    ...{ guid: 'g-1', code: 'OPEN1', id: 1, date: '2025-12-28T00:30:00+01:00', start: '00:30', duration: '01:00' },
    ...{ room: 'One', title: 'Night', abstract: 'Text', description: null, persons: [{ public_name: 'Ada', id: 3 }] },
    ...over,
  })
  const file = (...events: object[]) => {
    const days = [{ date: '2025-12-27', day_end: '2025-12-28T06:00:00+01:00', rooms: { One: events } }]
    return JSON.stringify({ schedule: { conference: { time_zone_name: 'Europe/Berlin', days } } }, null, 1)
  }

  test('an event is read, with the line of its opening brace', () => {
    const text = file(event({}))
    const { format, sessions, warnings } = parseProgram(text, 'schedule.json', defaultLimits)
    expect(format).toBe('frab schedule.json')
    expect(warnings).toEqual([])
    expect(sessions[0]).toMatchObject({
      key: 'g-1',
      title: 'Night',
      room: 'One',
      day: '2025-12-27',
    })
    expect(sessions[0]).toMatchObject({ startsAt: '2025-12-28 00:30:00', endsAt: '2025-12-28 01:30:00', details: '' })
    expect(sessions[0]?.speakers).toMatchObject([{ name: 'Ada', key: '3' }])
    expect(text.split('\n')[(sessions[0]?.line ?? 0) - 1]?.trim()).toBe('{')
    expect(text.split('\n')[sessions[0]?.line ?? 0]).toContain('"guid": "g-1"')
  })

  test('invalid events are reported, and a cancelled one is marked', () => {
    const program = parseProgram(
      file(
        event({}),
        event({ guid: 'g-2', title: '' }),
        event({ guid: 'g-3', date: 'soon' }),
        event({ title: 'Again' }),
        event({ guid: 'g-4', status: 'canceled' }),
      ),
      'schedule.json',
      defaultLimits,
    )
    expect(program.sessions.map(({ key, cancelled }) => [key, cancelled])).toEqual([
      ['g-1', false],
      ['g-4', true],
    ])
    expect(program.warnings.map(({ message }) => message)).toEqual([
      'Session “g-2” has no title; skipped.',
      'Session “Night” starts at “soon”, which is not a valid date and time; skipped.',
      expect.stringContaining('Session “Again” has the same id (g-1), start and room as “Night” in line'),
    ])
  })

  test('malformed JSON gets a warning with the line of the error', () => {
    expect(parseProgram('{\n "schedule": {\n  "a": 1\n  "b": 2 }\n}', 'a.json', defaultLimits).warnings).toEqual([
      { line: 4, message: 'The file is not valid JSON: missing comma.' },
    ])
    expect(parseProgram('['.repeat(200_000), 'a.json', defaultLimits).warnings).toHaveLength(1)
  })

  test('NUL and lone surrogates from escapes are removed', () => {
    const { sessions } = parseProgram(
      file(event({})).replace('Night', 'Ni\\u0000g\\ud800ht 😀'),
      'a.json',
      defaultLimits,
    )
    expect(sessions[0]?.title).toBe('Night 😀')
  })
})

describe('a schedule with all that the format has', () => {
  const { conference, rooms, tracks, sessions } = parseInventedProgram('frab schedule.json')
  const session = (title: string) => sessions.find((each) => each.title === title)

  test('describes the conference, which ends on its last day, although the last night ends after it', () => {
    expect(conference).toEqual({
      ...{ title: 'Alpine Makers Days', acronym: 'makers31', url: 'https://makers.example/2031/' },
      ...{ timeZone: 'Europe/Zurich', firstDay: '2031-02-14', lastDay: '2031-02-15', slotMinutes: 15 },
    })
  })

  test('has rooms in their order, also those without sessions, with the English description or another', () => {
    expect(rooms).toMatchObject([
      { name: 'Lärche', capacity: 24, description: 'Werkraum im Keller' },
      { name: 'Gletscher', capacity: 180, description: 'The large hall' },
      { name: 'Terrasse', key: '', guid: '', capacity: 0, description: '' },
    ])
    expect(rooms[0]).toMatchObject({ key: rooms[0]?.guid, guid: '681c1811-9220-5ca0-8a24-1292b31423d7' })
  })

  test('has tracks with their colours', () => {
    expect(tracks).toEqual([
      { name: 'Build & Repair', color: '#0a7e5c' },
      { name: 'Sky', color: '#2244ff' },
    ])
  })

  test('has persons with biographies, pictures and links', () => {
    expect(session('Opening & Welcome')?.speakers).toMatchObject([
      {
        guid: '04a4c523-ea7b-5484-9b5a-052dc23ae24b',
        biography: '<p>Mira <em>builds</em> boats.</p><p>And bridges.</p>',
        photo: 'https://talks.example/media/mira.jpg',
        links: [{ title: '', url: 'https://makers.example/2031/speakers/mira' }],
      },
      { biography: '', photo: 'https://makers.example/media/jon.png', links: [] },
    ])
    expect(session('Maps Without Servers')?.speakers[1]).toMatchObject({
      biography: '<p>Maps since 1998.</p>',
      links: [{ title: 'Maps', url: 'https://maps.example/' }],
    })
  })

  test('has sessions with track, type, languages, names, licence and links', () => {
    expect(session('Opening & Welcome')).toMatchObject({
      ...{ type: 'Ceremony', track: '', language: 'de, en', code: 'OPEN01', slug: 'makers31-opening' },
      guid: '89be4bfa-b432-5450-a6e3-de2be90b058f',
      links: [
        { rel: 'page', url: 'https://makers.example/2031/opening' },
        { rel: 'origin', url: 'https://talks.example/alpine/talk/OPEN01/' },
        { rel: 'feedback', url: 'https://talks.example/alpine/talk/OPEN01/feedback/' },
      ],
    })
    expect(session('Snow, Measured')).toMatchObject({
      ...{ track: 'Sky', type: 'Talk', language: 'en', license: 'CC BY 4.0', doNotRecord: false },
      ...{ subtitle: 'A network of home-made sensors', description: '<p>Forty sensors, one winter.</p>' },
    })
    expect(session('Snow, Measured')?.links.slice(2)).toEqual([
      { rel: 'attachment', title: 'Slides', url: 'https://makers.example/media/snow.pdf' },
      { rel: 'related', title: 'All data', url: 'https://snow.example' },
      { rel: 'related', title: '', url: 'https://code.example/snow' },
    ])
    expect(session('Solder Your First Kit')).toMatchObject({
      doNotRecord: true,
      links: [{ rel: 'page', url: 'https://makers.example/2031/solder/' }],
    })
    expect(session('Astronomy for Night Owls')?.links).toMatchObject([{ rel: 'recording' }])
  })

  test('has links that are none, which are left out', () => {
    expect(session('Printing Spare Parts')?.links).toEqual([])
  })
})

/** A schedule.json with one event. */
const scheduleOf = (event: object, conference: object = {}, schedule: object = {}) => {
  const days = [{ date: '2031-02-14', rooms: { Hall: [{ id: 1, title: 'A', start: '10:00', ...event }] } }]
  const file = { schedule: { conference: { days, ...conference }, ...schedule } }
  return parseProgram(JSON.stringify(file, null, 1), 'schedule.json', defaultLimits)
}

test.each([
  ['/media/a.pdf', 'https://a.example/media/a.pdf'],
  ['../a.pdf', 'https://a.example/2031/a.pdf'],
  ['media/a.pdf', 'https://a.example/2031/talks/media/a.pdf'],
  ['//b.example/a.pdf', 'https://b.example/a.pdf'],
  ['b.example/a.pdf', undefined],
  ['javascript:alert(1)', undefined],
])('the URL %s is relative to the base_url of a schedule: %s', (url, resolved) => {
  const event = { attachments: [{ url, title: 'Slides' }] }
  const found = (schedule: object) => scheduleOf(event, {}, schedule).sessions[0]?.links[0]?.url
  expect(found({ base_url: 'https://a.example/2031/talks/' })).toBe(resolved)
  expect(found({})).toBeUndefined()
})

test('a session that may be recorded but not streamed is recorded', () => {
  expect(scheduleOf({ do_not_stream: true, do_not_record: false }).sessions[0]?.doNotRecord).toBe(false)
  expect(scheduleOf({ recording: { license: 'CC0', optout: true } }).sessions).toMatchObject([
    { doNotRecord: true, license: 'CC0' },
  ])
})

test('a conference without a page has that of its schedule, and without days the dates of its start and end', () => {
  const { conference } = scheduleOf(
    {},
    { days: [{ rooms: {} }], start: '2031-02-14T08:00:00+01:00', end: '2031-02-15', timeslot_duration: '00:05:00' },
    { url: 'https://a.example/schedule/', base_url: 'https://a.example' },
  )
  expect(conference).toMatchObject({
    ...{ url: 'https://a.example/schedule/', firstDay: '2031-02-14', lastDay: '2031-02-15', slotMinutes: 5 },
  })
})

test('a guid that several rooms or sessions have identifies the first', () => {
  const guid = 'b379c473-93b9-4eae-9a09-d482e86cede3'
  const rooms = ['Gray', 'Tan'].map((name) => ({ name, guid, capacity: 10 }))
  expect(scheduleOf({}, { rooms }).rooms).toMatchObject([
    { name: 'Gray', key: guid, guid },
    { name: 'Tan', key: '', guid: '', capacity: 10 },
  ])
  const events = ['10:00', '11:00'].map((start) => ({ guid, title: 'A', start }))
  const days = [{ date: '2031-02-14', rooms: { Hall: events } }]
  expect(scheduleOf({}, { days }).sessions).toMatchObject([
    { key: guid, guid },
    { key: `${guid}-2`, guid: '' },
  ])
})

test.each([
  ['en', 'en'],
  ['de, EN', 'de, en'],
  ['pt_br/es', 'pt-BR, es'],
  ['de, de', 'de'],
  ['German and English', ''],
  ['', ''],
])('a session in the language “%s” is in “%s”', (written, language) => {
  expect(scheduleOf({ language: written }).sessions[0]?.language).toBe(language)
})

test('the same program as XML and as JSON gives the same sessions, three of them after midnight', () => {
  const [fromXml, fromJson] = [parseInventedProgram('frab schedule.xml'), parseInventedProgram('frab schedule.json')]
  for (const { sessions, warnings } of [fromXml, fromJson]) {
    expect(warnings).toEqual([])
    expect(new Set(sessions.map(({ key }) => key)).size).toBe(12)
    expect(sessions.filter(({ day, startsAt }) => !startsAt.startsWith(day))).toHaveLength(3)
  }
  expect(inBothFormats(fromXml)).toEqual(inBothFormats(fromJson))
})

test('a title that is encoded twice is decoded twice, which the plan reports', () => {
  const xml =
    '<schedule><day date="2030-05-14"><room name="A"><event id="1"><start>10:00</start><title>A &amp;amp; B</title></event></room></day></schedule>'
  const { sessions, warnings } = parseProgram(xml, 'schedule.xml', defaultLimits)
  expect(sessions).toMatchObject([{ title: 'A & B' }])
  expect(warnings).toMatchObject([{ message: 'HTML references such as in “A &amp; B” were decoded: “A & B”.' }])
})
