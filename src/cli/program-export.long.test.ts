import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Schema from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { findProgram } from '../../test/find-program.ts'
import { findSharedData } from '../../test/shared-data.ts'
import { eventFiles } from '../server/domains/program-export/export-program.fixtures.ts'
import { comparePrograms, parse } from './program-round-trip.fixtures.ts'

const xmllint = findProgram('xmllint')
const python = findPythonWithIcalendar()
const xsd = findSharedData('data/schemas/schedule.xml.xsd')
const jsonSchema = findSharedData('data/schemas/schedule.schema.json')

/** That of Debian, which has the package `python3-icalendar`. */
function findPythonWithIcalendar(): string | undefined {
  const program = '/usr/bin/python3'
  try {
    execFileSync(program, ['-c', 'import icalendar'], { stdio: 'ignore' })
    return program
  } catch {
    return undefined
  }
}

type Differences = Readonly<Record<string, string>>

const noConference = (...known: string[]): Differences =>
  Object.fromEntries(
    ['title', 'acronym', 'url', 'timeZone', 'firstDay', 'lastDay', 'slotMinutes']
      .filter((field) => !known.includes(field))
      .map((field) => [`conference ${field}`, 'the format knows no conference']),
  )

const noRoomsAndTracks: Differences = {
  ...{ 'room guid': 'no place', 'room capacity': 'no place', 'room description': 'no place' },
  'track color': 'no place',
}

const ofSessionize: Differences = {
  ...noConference(),
  ...noRoomsAndTracks,
  'session description': 'one text for both, as plain text',
  'session details': 'in the description',
  'session guid': 'the id is that of the source',
  ...{ 'session code': 'no place', 'session slug': 'no place', 'session doNotRecord': 'no place' },
  ...{ 'session link: page': 'no place', 'session link: origin': 'no place', 'session link: feedback': 'no place' },
  ...{ 'session link: attachment': 'no place', 'session link: related': 'no place' },
}

type EventFileName = (typeof eventFiles)[number]

/** The fields of 39C3 that are not the same after they were imported from JSON and exported, each with the reason. */
const designed: Record<EventFileName, Differences> = {
  'schedule.xml': {
    ...{ 'room capacity': 'no place', 'room description': 'no place' },
    ...{ 'speaker biography': 'no place', 'speaker links': 'no place', 'speaker photo': 'no place' },
    'session code': 'must be unique; the file has 9 twice',
    'session slug': 'must have four characters after the hyphen, and be unique',
  },
  'schedule.json': {
    'session link: related': 'a URL has ASCII characters only',
    'session slug': 'must not end with a hyphen',
  },
  'schedule.ics': {
    ...noConference('title', 'timeZone'),
    ...noRoomsAndTracks,
    'session day': 'that of the start, also after midnight',
    'session description': 'one text for all, as plain text, with the names of speakers',
    'session details': 'in the description',
    ...{ 'session track': 'a category', 'session type': 'a category', 'session tags': 'categories' },
    ...{ 'session code': 'no place', 'session slug': 'no place', 'session doNotRecord': 'no place' },
    'session language': 'no place',
    ...{ 'session link: origin': 'no place', 'session link: feedback': 'no place' },
    ...{ 'session link: attachment': 'a reader would load it', 'session link: related': 'no place' },
    'session speakers': 'in the description: attendees have addresses',
    ...{ 'speaker name': 'no place', 'speaker guid': 'no place', 'speaker biography': 'no place' },
    ...{ 'speaker links': 'no place', 'speaker photo': 'no place' },
  },
  'all.json': {
    ...ofSessionize,
    'session day': 'that of the start, also after midnight',
    'speaker biography': 'plain text',
  },
  'gridsmart.json': {
    ...ofSessionize,
    ...{ 'speaker biography': 'no place', 'speaker links': 'no place', 'speaker photo': 'no place' },
  },
  'sessions.csv': {
    ...noConference(),
    ...noRoomsAndTracks,
    'speaker guid': 'only of speakers who share a name',
    ...{ 'speaker biography': 'of speakers, not sessions', 'speaker links': 'likewise', 'speaker photo': 'likewise' },
  },
}

describe.each(['39c3.schedule.json', '39c3.schedule.xml', 'scottish-summit.sessionize.json'])('%s', (name) => {
  const path = findSharedData(`data/${name}`)
  let t: TestApp | undefined
  const files = new Map<string, string>()

  beforeAll(async () => {
    if (!path) return
    t = await startTestApp({ PUBLIC_URL: 'https://summit.example', TIMEZONE: 'Europe/Berlin' })
    expect((await runSummitInProcess(['import', 'program', path, '--apply'], t.settings)).out).toContain('Done.')
    for (const file of eventFiles) files.set(file, await (await fetch(`${t.url}/api/program/export/${file}`)).text())
  })
  afterAll(() => t?.[Symbol.asyncDispose]())

  const fileOf = async (file: EventFileName): Promise<string> => {
    const written = join(t?.dataDir ?? '', file)
    await writeFile(written, files.get(file) ?? '')
    return written
  }

  test.skipIf(!path).each([[[]], [['--partial']]])(
    'its spreadsheet changes nothing when it is imported again (%j)',
    async (options) => {
      const command = ['import', 'program', await fileOf('sessions.csv'), ...options]
      const { out } = await runSummitInProcess(command, t?.settings ?? {})
      expect(out).toMatch(/\n {2}cancelled +0\n {2}unchanged +\d+\n[\s\S]*Nothing to do\.\n$/)
    },
  )

  test.skipIf(!path || !xsd || !xmllint)('its XML is valid (xmllint)', async () => {
    execFileSync(xmllint ?? '', ['--noout', '--schema', xsd ?? '', await fileOf('schedule.xml')], { stdio: 'pipe' })
  })

  test.skipIf(!path || !jsonSchema)('its JSON is valid', () => {
    const validator = Schema.Compile(JSON.parse(readFileSync(jsonSchema ?? '', 'utf8')))
    const [isValid, errors] = validator.Errors(JSON.parse(files.get('schedule.json') ?? ''))
    expect([isValid, errors.slice(0, 3)]).toEqual([true, []])
    expect(validator.Check({ schedule: { version: '1' } })).toBe(false)
  })

  test.skipIf(!path || !python)('its calendar is read elsewhere (python3-icalendar)', async () => {
    const script = `import icalendar, sys
calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
events = calendar.walk('VEVENT')
print(len(events), len(set(str(e['UID']) for e in events)), sum(1 for e in events if e['STATUS'] == 'CANCELLED'), sum(1 for e in events if e.errors))`
    const out = execFileSync(python ?? '', ['-c', script, await fileOf('schedule.ics')], { encoding: 'utf8' })
    const { sessions } = parse(readFileSync(path ?? '', 'utf8'), name)
    const cancelled = sessions.filter((session) => session.cancelled).length
    expect(out.trim()).toBe(`${sessions.length} ${sessions.length} ${cancelled} 0`)
  })

  test.skipIf(!path || name !== '39c3.schedule.json').each(eventFiles)(
    'in %s is lost only what the format cannot say',
    (file) => {
      const before = parse(readFileSync(path ?? '', 'utf8'), name)
      const { same, different } = comparePrograms(before, parse(files.get(file) ?? '', file))
      const report = Object.entries(different).map(
        ([field, counts]) => `${field}: in ${counts[0]}, out ${counts[1]}, different ${counts[2]}`,
      )
      console.log(
        [
          `${name} in ${file}: ${same} values are the same`,
          ...report.map((line) => `  ${line} (${designed[file][line.split(':').slice(0, -1).join(':')] ?? ''})`),
        ].join('\n'),
      )
      expect(Object.keys(different)).toEqual(Object.keys(designed[file]).sort())
    },
  )

  test.skipIf(!path || name !== '39c3.schedule.json')(
    'in schedule.json is all but 21 slugs, and one URL is encoded',
    () => {
      const before = parse(readFileSync(path ?? '', 'utf8'), name)
      const { different } = comparePrograms(before, parse(files.get('schedule.json') ?? '', 'schedule.json'))
      expect(different).toEqual({ 'session link: related': [8, 8, 1], 'session slug': [895, 895, 21] })
    },
  )

  test.skipIf(!path || name !== 'scottish-summit.sessionize.json')(
    'in all.json is all of Sessionize, but for white space that HTML does not show',
    () => {
      const before = parse(readFileSync(path ?? '', 'utf8'), name)
      const { different } = comparePrograms(before, parse(files.get('all.json') ?? '', 'all.json'))
      expect(different).toEqual({ 'session description': [60, 60, 9], 'speaker biography': [89, 89, 6] })
    },
  )
})
