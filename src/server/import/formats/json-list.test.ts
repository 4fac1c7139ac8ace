import { expect, test } from 'vitest'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from './detect.ts'
import { readSpeakerDirectory } from './directories.ts'

const parse = (file: unknown, options = {}) =>
  parseProgram(JSON.stringify(file, null, 1), 'talks.json', defaultLimits, options)

const talk = {
  ...{ id: 7, title: 'Snow', start: '2031-03-14 09:00', minutes: 45, location: { name: 'Hall' }, description: null },
  speakers: [{ name: 'Ada L', bio: 'x' }, 'Alan T'],
}

test.each([
  ['a list', [talk]],
  ['a member of the file', { version: [1], days: [], talks: [talk] }],
  ['objects by their id', { '7': talk }],
])('the sessions of a site as %s are read like a spreadsheet', (_, file) => {
  const { format, sessions, warnings } = parse(file)
  expect(format).toBe('JSON list')
  expect(sessions).toMatchObject([
    {
      ...{ key: '7', title: 'Snow', room: 'Hall', startsAt: '2031-03-14 09:00:00', endsAt: '2031-03-14 09:45:00' },
      speakers: [{ name: 'Ada L' }, { name: 'Alan T' }],
    },
  ])
  expect(warnings).toMatchObject([])
})

test('members that are not used are listed, and a session that cannot be used is reported with its line', () => {
  const { sessions, warnings } = parse([talk, { title: 'Ice', start: 'soon', track: 'Science' }])
  expect(sessions).toHaveLength(1)
  expect(warnings).toMatchObject([
    { line: 1, message: 'Columns not used: “track”.' },
    { line: 19, message: 'Session “Ice” starts at “soon”, which is not a valid date or time; skipped.' },
  ])
})

test('speakers that are given by a UUID are named by the file of speakers', () => {
  const key = '00bc8cd6-45d1-4802-bf48-e3ba8af5a875'
  const file = [{ ...talk, speakers: [key] }]
  expect(parse(file)).toMatchObject({
    sessions: [{ speakers: [] }],
    warnings: [{ message: expect.stringContaining('Add the file that names them: --speakers FILE') }],
  })
  const speakers = readSpeakerDirectory(JSON.stringify({ [key]: { id: key, fullName: 'Ada L' } }), 'speakers.json')
  expect(parse(file, { speakers })).toMatchObject({ sessions: [{ speakers: [{ name: 'Ada L' }] }], warnings: [] })
})
