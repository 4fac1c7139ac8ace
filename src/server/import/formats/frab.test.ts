import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { parseProgram } from './detect.ts'

const reasons = ({ problems }: ParsedProgram) => problems.map(({ line, reason }) => `${line}: ${reason}`)

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

  test('reads an event with its line, ids, speakers, wall clock and texts', () => {
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

  test('keeps what starts after midnight on the day before, with or without a date of its own', () => {
    const nights = program.sessions.filter(({ day, startsAt }) => !startsAt.startsWith(day))
    expect(nights.map(({ key, day, startsAt, endsAt }) => [key, day, startsAt, endsAt])).toEqual([
      ['g-2', '2025-12-27', '2025-12-28 01:45:00', '2025-12-28 03:00:00'],
      ['g-3', '2025-12-27', '2025-12-28 02:00:00', '2025-12-28 02:10:00'],
    ])
  })

  test('falls back from the guid to the id', () => {
    expect(program.sessions.at(-1)).toMatchObject({ key: '8', title: 'No guid' })
  })

  test('says for each event what is wrong with it', () => {
    expect(reasons(program)).toEqual([
      '18: The session “g-4” has no title; it was left out.',
      '19: The session “Bad time” starts at “2025-12-27T25:30:00+01:00”, which is not a date and time; it was left out.',
      '20: The session “Doubled” has the same id (g-1) as “Opening & Welcome” in line 6; it was left out.',
      '21: The session “Two minds” says that it starts at 13:00 and at 2025-12-27 12:00:00; the latter was taken.',
      '22: The session “No guid” has the duration “soon”, which is not one; it ends as it starts.',
      '23: The session “No time” has no start time; it was left out.',
    ])
  })

  test('explains a malformed file with its line', () => {
    const { sessions, problems } = parseProgram(
      '<schedule>\n <day>\n  <room></day></schedule>',
      'schedule.xml',
      defaultLimits,
    )
    expect(sessions).toEqual([])
    expect(problems).toEqual([{ line: 3, reason: 'The file is not valid XML: Missing end tag for element room.' }])
  })

  test.each([
    ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]>', '&y;'],
  ])('expands no entities: %s', (doctype, reference) => {
    const program = parseProgram(`${doctype}\n<schedule><title>${reference}</title></schedule>`, 'a.xml', defaultLimits)
    expect(program.problems).toEqual([expect.objectContaining({ line: 2 })])
  })

  test('survives absurd nesting', () => {
    expect(parseProgram('<a>'.repeat(200_000), 'a.xml', defaultLimits).problems).toHaveLength(1)
  })

  test('says so when the zone is unknown and when there is none', () => {
    const zoned = (zone: string) =>
      parseProgram(
        `<schedule><conference><time_zone_name>${zone}</time_zone_name></conference><day><room>
        <event id="1"><date>2025-06-01T08:00:00Z</date><title>A</title></event></room></day></schedule>`,
        'a.xml',
        defaultLimits,
      )
    expect(zoned('Europe/Berlin').sessions[0]).toMatchObject({ startsAt: '2025-06-01 10:00:00', day: '2025-06-01' })
    expect(zoned('Europe/Berlin').problems).toEqual([])
    expect(zoned('Mars/Olympus').sessions[0]?.startsAt).toBe('2025-06-01 08:00:00')
    expect(reasons(zoned('Mars/Olympus'))[0]).toContain('“Mars/Olympus” is not known')
    expect(reasons(zoned(''))[0]).toContain('UTC but no time zone')
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

  test('reads an event with the line of its brace', () => {
    const text = file(event({}))
    const { format, sessions, problems } = parseProgram(text, 'schedule.json', defaultLimits)
    expect(format).toBe('frab schedule.json')
    expect(problems).toEqual([])
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

  test('says what is wrong with an event, and marks a cancelled one', () => {
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
    expect(program.problems.map(({ reason }) => reason)).toEqual([
      'The session “g-2” has no title; it was left out.',
      'The session “Night” starts at “soon”, which is not a date and time; it was left out.',
      expect.stringContaining('The session “Again” has the same id (g-1) as “Night” in line'),
    ])
  })

  test('explains malformed JSON with its line', () => {
    expect(parseProgram('{\n "schedule": {\n  "a": 1\n  "b": 2 }\n}', 'a.json', defaultLimits).problems).toEqual([
      { line: 4, reason: 'The file is not valid JSON: a comma is missing.' },
    ])
    expect(parseProgram('['.repeat(200_000), 'a.json', defaultLimits).problems).toHaveLength(1)
  })

  test('strips NUL and lone surrogates that escapes bring in', () => {
    const { sessions } = parseProgram(
      file(event({})).replace('Night', 'Ni\\u0000g\\ud800ht 😀'),
      'a.json',
      defaultLimits,
    )
    expect(sessions[0]?.title).toBe('Night 😀')
  })
})

const data = new URL('../../../../../shared/data/', import.meta.url)

describe.skipIf(!existsSync(new URL('39c3.schedule.xml', data)))('39C3', () => {
  const read = (name: string) => parseProgram(readFileSync(new URL(name, data), 'utf8'), name, defaultLimits)

  test('gives the same 895 sessions, 46 of them after midnight, out of XML and JSON', () => {
    const started = cpuTime()
    const [fromXml, fromJson] = [read('39c3.schedule.xml'), read('39c3.schedule.json')]
    expect(cpuTime() - started).toBeLessThan(5_000)
    for (const { sessions, problems } of [fromXml, fromJson]) {
      expect(problems).toEqual([])
      expect(new Set(sessions.map(({ key }) => key)).size).toBe(895)
      expect(sessions.filter(({ day, startsAt }) => !startsAt.startsWith(day))).toHaveLength(46)
    }
    const byKey = ({ sessions }: ParsedProgram) =>
      new Map(sessions.map(({ line: _, ...session }) => [session.key, session]))
    expect(byKey(fromXml)).toEqual(byKey(fromJson))
  })
})
