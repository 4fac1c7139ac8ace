import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from '../import/formats/detect.ts'
import type { SafeHtml } from '../program/html.ts'
import { addRecord } from '../program/records.ts'
import { addConference, readFile, uuidOf } from './export-program.fixtures.ts'

const parse = (text: string, name: string) => parseProgram(text, name, defaultLimits)

const workshop = {
  ...{ title: 'Workshop', subtitle: 'By hand', guid: uuidOf('c1'), key: uuidOf('c1'), day: '2030-05-02' },
  ...{ startsAt: '2030-05-02 09:00:00', endsAt: '2030-05-02 10:30:00', type: 'workshop', language: 'de' },
  ...{ room: 'Hall 1', track: 'Security', code: 'ABC123', slug: 's2030-1-workshop' },
  ...{ license: 'CC BY 4.0', doNotRecord: true, cancelled: false },
  description: '<p>What it is: <a href="https://tools.example/" rel="noopener noreferrer">tools</a></p>',
  details: '<ul><li>One</li><li>Two &amp; three</li></ul>',
}
const party = { title: 'Party', cancelled: true, day: '2030-05-02', startsAt: '2030-05-03 00:30:00' }
const conference = {
  ...{ title: 'Summit 2030', acronym: 'smt_2030', url: 'https://summit.example/2030', timeZone: 'Europe/Berlin' },
  ...{ firstDay: '2030-05-02', lastDay: '2030-05-02', slotMinutes: 10 },
}

test('schedule.xml is imported elsewhere with all that it can say', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const { format, ...program } = parse(await readFile(t, 'schedule.xml'), 'schedule.xml')
  expect(format).toBe('frab schedule.xml')
  expect(program).toMatchObject({ conference, tracks: [{ name: 'Security', color: '#0b57d0' }] })
  expect(program.rooms).toMatchObject([
    { name: 'Bar', guid: uuidOf('a2') },
    { name: 'Hall 1', guid: uuidOf('a1') },
  ])
  expect(program.sessions).toMatchObject([party, workshop])
  expect(program.sessions[1]?.speakers).toMatchObject([
    { name: 'Ana Cruz', guid: uuidOf('b1') },
    { name: 'Ben', guid: uuidOf('b2') },
  ])
  expect(program.sessions[1]?.links.map(({ rel, title, url }) => `${rel} ${title} ${url}`)).toEqual([
    'page  https://summit.example/2030/workshop',
    'feedback  https://summit.example/2030/feedback',
    'recording  https://media.example/workshop',
    'attachment Slides https://summit.example/slides.pdf',
    'related Wiki https://wiki.example/',
  ])
})

test('schedule.json is imported elsewhere with biographies, photos and rooms, too', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const { format, ...program } = parse(await readFile(t, 'schedule.json'), 'schedule.json')
  expect(format).toBe('frab schedule.json')
  expect(program).toMatchObject({ conference, tracks: [{ name: 'Security', color: '#0b57d0' }] })
  expect(program.rooms).toMatchObject([
    { name: 'Bar', guid: uuidOf('a2'), capacity: 0 },
    { name: 'Hall 1', guid: uuidOf('a1'), capacity: 300, description: 'By lift' },
  ])
  expect(program.sessions).toMatchObject([{ ...party, slug: 'smt_2030-2-party' }, workshop])
  expect(program.sessions[1]?.speakers).toMatchObject([
    {
      ...{ name: 'Ana Cruz', biography: '<p>Builds bridges.</p>', photo: 'https://photos.example/ana.jpg' },
      links: [{ title: 'Blog', url: 'https://ana.example/' }],
    },
    { name: 'Ben', biography: '', photo: '', links: [] },
  ])
})

test('both have what their schemas require', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example' })
  await addConference(t)
  await make.event(t, { title: '中文', code: 'abc', slug: '中文', date_to: null })
  await make.event(t, { title: 'Ça va? ', slug: 'smt-', date_to: '2030-05-08 09:00:00' })
  const { schedule, ...rest } = JSON.parse(await readFile(t, 'schedule.json'))
  expect(Object.keys(rest)).toEqual(['$schema', 'generator'])
  expect(schedule).toMatchObject({ version: expect.stringMatching(/^2030-05-01 /), base_url: 'https://summit.example' })
  expect(schedule.conference.days).toMatchObject([
    { index: 1, date: '2030-05-02', day_start: '2030-05-02T09:00:00+02:00', day_end: '2030-05-08T09:00:00+02:00' },
  ])
  const events = Object.values(schedule.conference.days[0].rooms).flat() as Record<string, unknown>[]
  expect(events.map(({ slug, code, url, duration, end }) => [slug, code, url, duration, end])).toEqual(
    [
      ['smt_2030-2-party', undefined, `${t.url}/api/program/schedule/events/2`, '01:30', '2030-05-03T02:00:00+02:00'],
      ['s2030-1-workshop', 'ABC123', 'https://summit.example/2030/workshop', '01:30', '2030-05-02T10:30:00+02:00'],
      ['smt_2030-4-session', undefined, `${t.url}/api/program/schedule/events/4`, '00:00', '2030-05-02T09:00:00+02:00'],
      ['smt_2030-5-ca-va', undefined, `${t.url}/api/program/schedule/events/5`, '144:00', '2030-05-08T09:00:00+02:00'],
    ].map((row) => row.map((cell) => cell?.replace(t.url, 'https://summit.example'))),
  )
  const xml = await readFile(t, 'schedule.xml')
  expect(xml.match(/<slug>.*<\/slug>|code="[^"]*"|<duration>.*<\/duration>/g)).toEqual([
    ...['<duration>01:30</duration>', 'code="ABC123"', '<duration>01:30</duration>', '<slug>s2030-1-workshop</slug>'],
    ...['<duration>00:00</duration>', '<duration>6:00:00</duration>'],
  ])
  expect(xml).toContain('<day index="1" date="2030-05-02" start="2030-05-02T09:00:00+02:00"')
  expect(xml).toContain('<url>https://summit.example/api/program/export/schedule.xml</url>')
})

test('events with the UUID, code and slug of another have none of these in schedule.xml, but a UUID of their own', async () => {
  await using t = await startTestApp()
  const same = { guid: uuidOf('1'), code: 'ABC123', slug: 's2030-opening' }
  await make.event(t, { ...same, source: 'a' })
  await make.event(t, { ...same, source: 'b' })
  const xml = await readFile(t, 'schedule.xml')
  const found = [...xml.matchAll(/<event guid="([^"]*)" id="(\d+)"(.*)>/g)].map(([, ...values]) => values)
  expect(found).toEqual([
    [uuidOf('1'), '1', ' code="ABC123"'],
    [expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/), '2', ''],
  ])
  expect(xml.match(/<slug>/g)).toHaveLength(1)
  const uids = (await readFile(t, 'schedule.ics')).match(/^UID:.*$/gm)
  expect(uids).toEqual(found.map(([guid]) => `UID:${guid}`))
})

test.each([
  ['markup', '</title><script>alert(1)</script>]]> R&D &amp; <!-- "\''],
  ['control characters', 'a\u0001b\u007fc\ud800'],
  ['text from right to left', 'مؤتمر ‏القمة‏ – שלום (1)'],
  ['emoji', '👩🏽‍🚀'.repeat(50)],
  ['line breaks', 'a b\tc\r\nd\u0085e\u2028f'],
  ['the name of a member of all objects', '__proto__'],
])('a title, a room and a speaker with %s come back as far as they can be imported', async (_, text) => {
  await using t = await startTestApp()
  await inCommand(t, (scope) => addRecord(scope, 'conference', { title: text }))
  await make.event(t, { title: text, subtitle: text, location_name: text, speaker: text, type: text })
  const plain = (value = '') => value.replace(/[\p{Cc}\p{Z}\ud800\ufffd]/gv, '')
  for (const file of ['schedule.json', 'schedule.xml']) {
    const { conference, sessions, rooms } = parse(await readFile(t, file), file)
    const { title, subtitle, room, speakers, type } = make.only(sessions)
    const read = [conference?.title, title, subtitle, room, speakers[0]?.name, type, rooms[0]?.name]
    expect(new Set(read.map(plain))).toEqual(new Set([plain(text)]))
  }
})

test('a text that does not begin with a block is still read as HTML', async () => {
  await using t = await startTestApp()
  const description = '5 &lt; 6 *stars* &amp; <em>more</em>' as SafeHtml
  await make.event(t, { description })
  for (const file of ['schedule.xml', 'schedule.json'])
    expect(make.only(parse(await readFile(t, file), file).sessions).description).toBe(description)
})
