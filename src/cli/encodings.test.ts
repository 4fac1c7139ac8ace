import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf8 = (text: string) => Buffer.from(text, 'utf8')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** Imports these bytes as a program. @returns the titles of all events, and the output that the organizer sees */
async function importBytes(t: TestApp, bytes: Buffer, name = 'program.csv', ...options: string[]) {
  const file = join(t.dataDir, name)
  await writeFile(file, bytes)
  const { code, out, err } = await runSummitInProcess(['import', 'program', file, '--apply', ...options], t.settings)
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  return {
    code,
    err,
    warnings: out.match(/^ {2}(?:line \d|\d+ rows: ).*$/gm) ?? [],
    titles: events.map(({ title }) => title),
  }
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
  ['an encoding after a blank line', xml(`\n${declared('ISO-8859-1')}`, latin1('Er\xf6ffnung')), 'Eröffnung'],
  ['another encoding than its byte order mark', utf16(`\u{FEFF}${xml(declared('KOI8-R'), 'Łódź')}`), 'Łódź'],
])('a schedule.xml that declares %s is decoded', async (_, bytes, title) => {
  await using t = await startTestApp()
  expect(await importBytes(t, bytes, 'schedule.xml')).toEqual({ code: 0, err: '', warnings: [], titles: [title] })
})

test('an unknown declared encoding is named in one line, and nothing is imported', async () => {
  await using t = await startTestApp()
  expect(await importBytes(t, xml(declared('EBCDIC-PL'), 'Talk'), 'schedule.xml')).toEqual({
    code: 1,
    err: 'schedule.xml declares an unknown encoding, “EBCDIC-PL”. Save it as UTF-8 and declare that, or name its encoding: --encoding NAME.\n',
    warnings: [],
    titles: [],
  })
})

test('an invalid byte in a UTF-8 file gets a warning with its line', async () => {
  await using t = await startTestApp()
  const bytes = csv('Łódź,2030-05-14 09:00', latin1('Caf\xe9,2030-05-14 10:00'), '開会,2030-05-14 11:00')
  const { code, warnings, titles } = await importBytes(t, bytes)
  expect([code, titles]).toEqual([0, ['Łódź', 'Caf�', '開会']])
  expect(warnings).toEqual([
    '  line 3: Invalid UTF-8; unreadable characters were replaced with �: “Caf�,2030-05-14 10:00”.',
  ])
})

test('an invalid byte in XML that declares UTF-8 gets a warning, even if all non-ASCII text is invalid', async () => {
  await using t = await startTestApp()
  const { code, warnings, titles } = await importBytes(t, xml(declared('UTF-8'), latin1('Caf\xe9')), 'schedule.xml')
  expect([code, titles]).toEqual([0, ['Caf�']])
  expect(warnings).toEqual([expect.stringMatching(/^ {2}line 2: Invalid UTF-8; .*Caf�/)])
})

test('many lines with invalid bytes are counted, and listed with --all', async () => {
  await using t = await startTestApp()
  const rows = Array.from({ length: 45 }, (_, n) => [utf8(`Łódź ${n} `), latin1('\xe9,2030-05-14 09:00')])
  const file = csv(...rows.map((parts) => Buffer.concat(parts)))
  expect((await importBytes(t, file)).warnings).toEqual([
    '  45 rows: Invalid UTF-8; unreadable characters were replaced with �: “…”, first line 2',
  ])
  expect((await importBytes(t, file, 'program.csv', '--all')).warnings).toHaveLength(45)
})

test('a table with hardly any valid UTF-8 is read as Windows-1252, with a warning', async () => {
  await using t = await startTestApp()
  // The quotation mark after a capital happens to be valid UTF-8.
  const bytes = csv('Opening,2030-05-14 09:00', latin1('CAF\xc9\xbb \x93na\xefve\x94 \x80,2030-05-14 10:00'))
  const { code, warnings, titles } = await importBytes(t, bytes)
  expect([code, titles]).toEqual([0, ['Opening', 'CAFÉ» “naïve” €']])
  expect(warnings).toEqual([
    '  line 3: The file is not UTF-8; it was read as Windows-1252: “CAFÉ» “naïve” €,2030-05-14 10:00”. If that looks wrong, ' +
      'name its encoding, such as --encoding windows-1250 or --encoding macintosh, or save it as UTF-8.',
  ])
})

test('JSON that is not UTF-8 is rejected with the line', async () => {
  await using t = await startTestApp()
  expect(await importBytes(t, latin1('{\n"title": "Er\xf6ffnung"}'), 'schedule.json')).toEqual({
    code: 1,
    err: 'schedule.json is not valid UTF-8 (line 2). JSON has to be saved as UTF-8. To read it anyway, name its encoding: --encoding NAME.\n',
    warnings: [],
    titles: [],
  })
})

test('invalid bytes in a file of participants get a warning with the line', async () => {
  await using t = await startTestApp()
  const file = join(t.dataDir, 'people.csv')
  const rows = [utf8('email,last name\na@x.example,Łoś\n'), latin1('b@x.example,M\xfcller\n'), utf8(',Nobody\n')]
  await writeFile(file, Buffer.concat(rows))
  const { code, out } = await runSummitInProcess(['import', 'participants', file, '--apply'], t.settings)
  expect([code, out.match(/^ {2}line .*$/gm)]).toEqual([
    0,
    [
      expect.stringMatching(/^ {2}line 4: No e-mail address or employee number/),
      '  line 3: Invalid UTF-8; unreadable characters were replaced with �: “b@x.example,M�ller”.',
    ],
  ])
})

test('a calendar that is folded inside its characters, by bytes, is read', async () => {
  await using t = await startTestApp()
  const bytes = latin1(
    ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20300514T100000', 'SUMMARY:@', 'END:VEVENT', 'END:VCALENDAR']
      .join('\r\n')
      // A letter of two bytes, one of three and one of four, each with a fold after another byte.
      .replace('@', 'Er\xc3\r\n \xb6ffnung \xe9\x96\r\n\t\x8b\xe4\r\n \xbc\x9a \xf0\x9f\n \x8e\x89'),
  )
  expect(await importBytes(t, bytes, 'program.ics')).toMatchObject({ warnings: [], titles: ['Eröffnung 開会 🎉'] })
})

test('times in UTC of a calendar without a time zone are those of TIMEZONE', async () => {
  await using t = await startTestApp()
  const file = join(t.dataDir, 'program.ics')
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Talk',
    'DTSTART:20300514T080000Z',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  await writeFile(file, lines.join('\n'))
  const { out } = await runSummitInProcess(['import', 'program', file], { ...t.settings, TIMEZONE: 'Europe/Berlin' })
  expect(out).toContain('Times in UTC were converted to Europe/Berlin, the time zone of the summit.')
  expect(out).toContain('Talk (2030-05-14 10:00)')
})

/** “Opening” and a name, in encodings that Node cannot write. */
const inOtherEncodings: [encoding: string, title: Buffer, decoded: string][] = [
  ['gb18030', latin1('\xbf\xaa\xc4\xbb\xca\xbd,'), '开幕式'],
  ['big5', latin1('\xb6\x7d\xb9\xf5\xa6\xa1,'), '開幕式'],
  ['shift_jis', latin1('\x83I\x81[\x83v\x83j\x83\x93\x83O,'), 'オープニング'],
  ['euc-kr', latin1('\xb0\xb3\xb8\xb7\xbd\xc4,'), '개막식'],
  ['windows-1251', latin1('\xce\xf2\xea\xf0\xfb\xf2\xe8\xe5,'), 'Открытие'],
  ['windows-1250', latin1('Ond\xf8ej \x8ei\x9eka,'), 'Ondřej Žižka'],
  ['windows-1254', latin1('A\xe7\xfdl\xfd\xfe,'), 'Açılış'],
  ['macintosh', latin1('Er\x9affnung,'), 'Eröffnung'],
  ['macintosh', latin1('Sesi\x97n,'), 'Sesión'],
]

test.each(inOtherEncodings)(
  'a table in %s is refused with readings of a line, and imported with the encoding that reads well',
  async (encoding, title, decoded) => {
    await using t = await startTestApp()
    const file = csv(Buffer.concat([title, latin1('2030-05-14 09:00')]))
    const refused = await importBytes(t, file)
    expect([refused.code, refused.titles]).toEqual([1, []])
    expect(refused.err).toMatch(
      /^program\.csv is not UTF-8, and its encoding is uncertain\. Save it as UTF-8, or name /,
    )
    const reading = new RegExp(`^  --encoding ${encoding} +line 2: “${decoded},2030-05-14 09:00”$`, 'm')
    expect(refused.err).toMatch(reading)
    const named = await importBytes(t, file, 'program.csv', '--encoding', encoding)
    expect(named).toEqual({ code: 0, err: '', warnings: [], titles: [decoded] })
  },
)

test.each([
  ['German', 'Begr\xfc\xdfung \x96 \x93Los geht\x92s\x94', 'Begrüßung – “Los geht’s”'],
  ['French', '\xc9l\xe8ve fran\xe7ais, na\xefve', 'Élève français'],
  ['several languages', 'S\xf8ren, Fran\xe7ois und J\xfcrgen Mu\xf1oz', 'Søren'],
  ['English, with dashes', 'It\x92s about boats\x97and \x93more\x94', 'It’s about boats—and “more”'],
  ['English, with an ellipsis', 'Well\x85maybe', 'Well…maybe'],
  ['Spanish, with ordinals', 'Sesi\xf3n 2\xaa, 1\xba piso, N\xba 4', 'Sesión 2ª, 1º piso, Nº 4'],
  ['German, with a unit', 'Z\xfcrich, 5 \xb5m', 'Zürich, 5 µm'],
  ['German, with an accent for an apostrophe', 'M\xfcller\xb4s \xdcbersicht \xb15', 'Müller´s Übersicht ±5'],
])('a table in %s is read as Windows-1252', async (_, title, decoded) => {
  await using t = await startTestApp()
  const { code, warnings, titles } = await importBytes(t, csv(latin1(`"${title}",2030-05-14 09:00`)))
  expect([code, titles]).toEqual([0, [expect.stringContaining(decoded)]])
  expect(warnings).toEqual([expect.stringContaining(`it was read as Windows-1252: “"${decoded}`)])
})

test('the readings of a file are distinct, and quote a line in which they differ', async () => {
  await using t = await startTestApp()
  const file = csv(latin1('M\xfcller,2030-05-14 09:00'), latin1('Mu\xf1oz a \xb9\xe8,2030-05-14 10:00'))
  const { err } = await importBytes(t, file)
  const readings = [...err.matchAll(/^ {2}--encoding \S+ +line (\d): (.*)$/gm)].map(([, line, text]) => ({
    line,
    text,
  }))
  expect(new Set(readings.map(({ text }) => text)).size).toBe(readings.length)
  expect(readings.map(({ line }) => line)).toEqual(readings.map(() => '3'))
  expect(err).toMatch(/windows-1252 +line 3: “Muñoz a ¹è,/)
  const dash = await importBytes(t, csv(latin1('boats\x97and,2030-05-14 09:00')))
  expect([...dash.err.matchAll(/--encoding (.*)$/gm)].map(([, reading]) => reading)).toEqual([
    'windows-1252  line 2: “boats—and,2030-05-14 09:00”',
    'macintosh     line 2: “boatsóand,2030-05-14 09:00”',
  ])
})

test('an unknown --encoding is refused with the names of others', async () => {
  await using t = await startTestApp()
  const { code, err } = await importBytes(t, csv('A,2030-05-14 09:00'), 'program.csv', '--encoding', 'cp850')
  expect([code, err]).toEqual([1, expect.stringMatching(/^--encoding cp850 is unknown\. .*windows-1252.*gb18030/)])
})

test('a table in UTF-16 or ISO-2022-JP is recognized without a mark', async () => {
  await using t = await startTestApp()
  const table = 'Title,Start\nŁódź,2030-05-14 09:00\n'
  expect(await importBytes(t, utf16(table))).toMatchObject({ warnings: [], titles: ['Łódź'] })
  expect(await importBytes(t, utf16(table).swap16())).toMatchObject({ warnings: [], titles: ['Łódź'] })
  const iso2022 = csv('\x1b$B3+2q\x1b(B,2030-05-14 09:00')
  expect(await importBytes(t, iso2022, 'program.csv', '--replace')).toMatchObject({
    warnings: [],
    titles: expect.arrayContaining(['開会']),
  })
})

test('UTF-8 that declares another encoding is read as UTF-8, which is reported', async () => {
  await using t = await startTestApp()
  const { warnings, titles } = await importBytes(t, xml(declared('ISO-8859-1'), 'Eröffnung'), 'schedule.xml')
  expect(titles).toEqual(['Eröffnung'])
  expect(warnings).toEqual(['  line 2: The file declares windows-1252, but it is UTF-8 and was read as such.'])
})

test.each([
  ['FrÃ¼hstÃ¼ck', 'Ã¼', 'ü'],
  ['Donâ€™t', 'â€™', '’'],
  ['ÐžÑ‚ÐºÑ€Ñ‹Ñ‚Ð¸Ðµ', 'ÐžÑ‚ÐºÑ€Ñ‹Ñ‚Ð¸Ðµ', 'Открытие'],
])('the title “%s”, encoded as UTF-8 twice, is reported and used unchanged', async (title, found, original) => {
  await using t = await startTestApp()
  const { warnings, titles } = await importBytes(t, csv('«CAFÉ»,2030-05-14 08:00', `${title},2030-05-14 09:00`))
  expect(titles).toEqual(['«CAFÉ»', title])
  expect(warnings).toEqual([
    `  line 3: “${found}” seems to be “${original}”, encoded as UTF-8 twice; it was used unchanged. Correct the file where it was made.`,
  ])
})

test('JSON and participants in another encoding are read with --encoding', async () => {
  await using t = await startTestApp()
  const json = latin1('[{"title": "Er\xf6ffnung", "start": "2030-05-14 09:00"}]')
  expect(await importBytes(t, json, 'program.json', '--encoding', 'latin1')).toMatchObject({ titles: ['Eröffnung'] })
  const file = join(t.dataDir, 'people.csv')
  await writeFile(file, latin1('email,first name\na@x.example,\xbf\xaa\xc4\xbb\xca\xbd\n'))
  const importPeople = (...options: string[]) =>
    runSummitInProcess(['import', 'participants', file, ...options], t.settings)
  expect(await importPeople()).toMatchObject({ code: 1, err: expect.stringContaining('--encoding gb18030') })
  expect(await importPeople('--encoding', 'gbk')).toMatchObject({ code: 0, out: expect.stringContaining('开幕式') })
})

test('a web page in an encoding that it declares is called a web page', async () => {
  await using t = await startTestApp()
  const page = latin1(
    '<html><head><meta http-equiv="x" content="text/html; charset=windows-1251"></head>\xce\xf2\xea\xf0',
  )
  const { code, warnings } = await importBytes(t, page, 'program.html')
  expect([code, warnings]).toEqual([1, [expect.stringContaining('This is a web page')]])
})
