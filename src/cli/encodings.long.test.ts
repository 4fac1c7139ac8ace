import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { csv, declared, importBytes, latin1, utf8, xml } from './encodings.fixtures.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

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

test('many lines with invalid bytes are counted, and listed with --all', async () => {
  await using t = await startTestApp()
  const rows = Array.from({ length: 45 }, (_, n) => [utf8(`Łódź ${n} `), latin1('\xe9,2030-05-14 09:00')])
  const file = csv(...rows.map((parts) => Buffer.concat(parts)))
  expect((await importBytes(t, file)).warnings).toEqual([
    '  45 rows: Invalid UTF-8; unreadable characters were replaced with �: “…”, first line 2',
  ])
  expect((await importBytes(t, file, 'program.csv', '--all')).warnings).toHaveLength(45)
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
