import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { summitHere } from '../../test/command.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf8 = (text: string) => Buffer.from(text, 'utf8')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** What an organizer sees who imports these bytes as a program: the titles, and the plan. */
async function imported(t: TestApp, bytes: Buffer, name = 'program.csv') {
  const file = join(t.dataDir, name)
  await writeFile(file, bytes)
  const { code, out, err } = await summitHere(['import', 'program', file, '--apply'], t.settings)
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  return { code, err, remarks: out.match(/^ {2}line .*$/gm) ?? [], titles: events.map(({ title }) => title) }
}

const xml = (declaration: string, title: string | Buffer) =>
  Buffer.concat([
    latin1(`${declaration}<schedule><day date="2030-05-14"><room name="R"><event id="1"><start>09:00</start><title>`),
    typeof title === 'string' ? utf8(title) : title,
    latin1('</title></event></room></day></schedule>'),
  ])
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n`
const csv = (...rows: (string | Buffer)[]) =>
  Buffer.concat(['Title,Start', ...rows].flatMap((row) => [typeof row === 'string' ? utf8(row) : row, latin1('\n')]))

test.each([
  ['ISO-8859-2', xml(declared('ISO-8859-2'), latin1('\xa3\xf3d\xbc')), 'Łódź'],
  ['KOI8-R', xml(`<?xml version='1.0' encoding = 'koi8-r' ?>`, latin1('\xef\xd4\xcb\xd2\xd9\xd4\xc9\xc5')), 'Открытие'],
  ['Shift_JIS', xml(declared('Shift_JIS'), latin1('\x8a\x4a\x89\xef')), '開会'],
  ['ISO-8859-1', xml(declared('ISO-8859-1'), latin1('Er\xf6ffnung')), 'Eröffnung'],
  ['UTF-8', xml(declared('utf-8'), 'Eröffnung'), 'Eröffnung'],
  ['nothing, and is UTF-8', xml('', 'Łódź'), 'Łódź'],
  ['UTF-16 and is UTF-8, as strings saved by .NET', xml(declared('utf-16'), 'Łódź'), 'Łódź'],
  ['UTF-16 with a byte order mark', utf16(`\u{FEFF}${xml(declared('UTF-16'), 'Łódź')}`), 'Łódź'],
  ['UTF-16 without one', utf16(`${xml(declared('UTF-16'), 'Łódź')}`), 'Łódź'],
  ['another encoding than its byte order mark', utf16(`\u{FEFF}${xml(declared('KOI8-R'), 'Łódź')}`), 'Łódź'],
])('a schedule.xml that declares %s', async (_, bytes, title) => {
  await using t = await testApp()
  expect(await imported(t, bytes, 'schedule.xml')).toEqual({ code: 0, err: '', remarks: [], titles: [title] })
})

test('a declared encoding that is not known is one line that names it, and nothing is imported', async () => {
  await using t = await testApp()
  expect(await imported(t, xml(declared('EBCDIC-PL'), 'Talk'), 'schedule.xml')).toEqual({
    code: 1,
    err: 'schedule.xml declares the encoding “EBCDIC-PL”, which is unknown. Save it as UTF-8, and declare that.\n',
    remarks: [],
    titles: [],
  })
})

test('a stray byte in a file that is UTF-8 otherwise is a remark with its line', async () => {
  await using t = await testApp()
  const bytes = csv('Łódź,2030-05-14 09:00', latin1('Caf\xe9,2030-05-14 10:00'), '開会,2030-05-14 11:00')
  const { code, remarks, titles } = await imported(t, bytes)
  expect([code, titles]).toEqual([0, ['Łódź', 'Caf�', '開会']])
  expect(remarks).toEqual([
    '  line 3: This line is not valid UTF-8; what could not be read became �: “Caf�,2030-05-14 10:00”.',
  ])
})

test('a stray byte in XML that declares UTF-8 is a remark with its line, whatever else there is', async () => {
  await using t = await testApp()
  const { code, remarks, titles } = await imported(t, xml(declared('UTF-8'), latin1('Caf\xe9')), 'schedule.xml')
  expect([code, titles]).toEqual([0, ['Caf�']])
  expect(remarks).toEqual([expect.stringMatching(/^ {2}line 2: This line is not valid UTF-8; .*Caf�/)])
})

test('of many lines with stray bytes the first twenty are named, and the rest is counted', async () => {
  await using t = await testApp()
  const rows = Array.from({ length: 45 }, (_, n) => [utf8(`Łódź ${n} `), latin1('\xe9,2030-05-14 09:00')])
  const { remarks } = await imported(t, csv(...rows.map((parts) => Buffer.concat(parts))))
  expect(remarks).toHaveLength(21)
  expect(remarks.at(-1)).toBe('  line 22: Further lines that are not valid UTF-8, from this one on: 25.')
})

test('a table without any UTF-8 is taken for Windows-1252, as Excel saves it, and a remark says so', async () => {
  await using t = await testApp()
  // The quote after a capital is UTF-8 by accident.
  const bytes = csv('Opening,2030-05-14 09:00', latin1('CAF\xc9\xbb \x93na\xefve\x94 \x80,2030-05-14 10:00'))
  const { code, remarks, titles } = await imported(t, bytes)
  expect([code, titles]).toEqual([0, ['Opening', 'CAFÉ» “naïve” €']])
  expect(remarks).toEqual([
    '  line 3: The file is not UTF-8 and was read as Windows-1252. If letters are wrong, save it as UTF-8.',
  ])
})

test('JSON that is not UTF-8 is refused with its line', async () => {
  await using t = await testApp()
  expect(await imported(t, latin1('{\n"title": "Er\xf6ffnung"}'), 'schedule.json')).toEqual({
    code: 1,
    err: 'schedule.json is not valid UTF-8 (line 2), which JSON has to be. Save it as UTF-8.\n',
    remarks: [],
    titles: [],
  })
})

test('participants are read by the same rules', async () => {
  await using t = await testApp()
  const file = join(t.dataDir, 'people.csv')
  const rows = [utf8('email,last name\na@x.example,Łoś\n'), latin1('b@x.example,M\xfcller\n'), utf8(',Nobody\n')]
  await writeFile(file, Buffer.concat(rows))
  const { code, out } = await summitHere(['import', 'participants', file, '--apply'], t.settings)
  expect([code, out.match(/^ {2}line .*$/gm)]).toEqual([
    0,
    [
      '  line 3: This line is not valid UTF-8; what could not be read became �: “b@x.example,M�ller”.',
      expect.stringMatching(/^ {2}line 4: The row has neither/),
    ],
  ])
})
