import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { parseInventedProgram } from '../formats/programs.fixtures.ts'
import type { ParsedProgram } from '../source.ts'

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
      speakers: [
        { name: 'Ada Lovelace', position: '', company: '' },
        { name: 'Alan', position: '', company: '' },
      ],
      room: 'One',
      day: '2025-12-27',
      startsAt: '2025-12-27 10:30:00',
      endsAt: '2025-12-27 11:00:00',
      description: '<p><strong>For all</strong></p><p>First line<br />second &lt;3</p>',
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
    expect(sessions[0]?.speakers).toEqual([{ name: 'Ada', position: '', company: '' }])
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

test('the same program as XML and as JSON gives the same sessions, three of them after midnight', () => {
  const [fromXml, fromJson] = [parseInventedProgram('frab schedule.xml'), parseInventedProgram('frab schedule.json')]
  for (const { sessions, warnings } of [fromXml, fromJson]) {
    expect(warnings).toEqual([])
    expect(new Set(sessions.map(({ key }) => key)).size).toBe(12)
    expect(sessions.filter(({ day, startsAt }) => !startsAt.startsWith(day))).toHaveLength(3)
  }
  const withoutLines = ({ sessions }: ParsedProgram) => sessions.map(({ line: _, ...session }) => session)
  expect(withoutLines(fromXml)).toEqual(withoutLines(fromJson))
})

test('a title that is encoded twice is decoded twice, which the plan reports', () => {
  const xml =
    '<schedule><day date="2030-05-14"><room name="A"><event id="1"><start>10:00</start><title>A &amp;amp; B</title></event></room></day></schedule>'
  const { sessions, warnings } = parseProgram(xml, 'schedule.xml', defaultLimits)
  expect(sessions).toMatchObject([{ title: 'A & B' }])
  expect(warnings).toMatchObject([{ message: 'HTML references such as in “A &amp; B” were decoded: “A & B”.' }])
})
