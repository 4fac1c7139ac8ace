import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { csv, declared, importBytes, latin1, utf8, xml } from './encodings.fixtures.ts'

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

test('an unknown --encoding is refused with the names of others', async () => {
  await using t = await startTestApp()
  const { code, err } = await importBytes(t, csv('A,2030-05-14 09:00'), 'program.csv', '--encoding', 'cp850')
  expect([code, err]).toEqual([1, expect.stringMatching(/^--encoding cp850 is unknown\. .*windows-1252.*gb18030/)])
})

test('UTF-8 that declares another encoding is read as UTF-8, which is reported', async () => {
  await using t = await startTestApp()
  const { warnings, titles } = await importBytes(t, xml(declared('ISO-8859-1'), 'Eröffnung'), 'schedule.xml')
  expect(titles).toEqual(['Eröffnung'])
  expect(warnings).toEqual(['  line 2: The file declares windows-1252, but it is UTF-8 and was read as such.'])
})
