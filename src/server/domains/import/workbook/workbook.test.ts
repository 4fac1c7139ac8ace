import { expect, test } from 'vitest'
import { lineSeparator } from '../csv/csv-table.ts'
import { toText } from '../encoding/program-files.ts'
import { sheetOf, workbookOf, zipOf } from './workbook.fixtures.ts'

const read = async (bytes: Buffer | Promise<Buffer>, isTable = (_: string) => true) =>
  toText(await bytes, 'program.xlsx', undefined, isTable)

const linesOf = async (...args: Parameters<typeof workbookOf>) => (await read(workbookOf(...args))).text.split('\n')

test.each([
  ['a day', 'dd/mm/yyyy', 47_617, '2030-05-14'],
  ['a day in words', '[$-407]dddd\\, d. mmmm', 47_617, '2030-05-14'],
  ['a day of a month', 'mmm', 47_617, '2030-05-14'],
  ['a day before 29 February 1900', 'yyyy', 1, '1900-01-01'],
  ['a day with a time', 'm/d/yy h:mm', 47_617.4166666667, '2030-05-14 10:00'],
  ['a time of a second, as a fraction', 'yyyy-mm-dd hh:mm:ss', 47_617 + 36_001 / 86_400, '2030-05-14 10:00:01'],
  ['a day shown without its time', 'd/m/yyyy', 47_617.5, '2030-05-14'],
  ['a time', 'h:mm AM/PM', 0.5625, '13:30'],
  ['a time shown without its day', '[$-F400]hh:mm', 47_617.375, '09:00'],
  ['a time without a day', 'd/m/yyyy hh:mm', 0.375, '09:00'],
  ['a duration', '[h]:mm', 0.0625, '1:30'],
  ['a duration of days', '[hh]:mm:ss', 1.25, '30:00'],
  ['minutes and seconds', 'mm:ss', 1_800 / 86_400, '00:30'],
  ['a number', 'General', 0.1 + 0.2, '0.3'],
  ['a large number', '0', 4_915_112_345_678, '4915112345678'],
  ['a number with zeros', '00000', 42, '00042'],
  ['an amount', '#,##0.00\\ "days"', 1_234.5, '1234.5'],
  ['a coloured number', '[Red]0.0;[<0]-0.0', 7, '7'],
  ['a number before all days', 'yyyy', -1, '-1'],
  ['a number after all days', 'yyyy', 3e9, '3000000000'],
])('%s with the format %s is read as it is shown', async (_, format, number, text) => {
  expect(await linesOf({ A: [[{ number, style: 1 }]] }, { formats: [format] })).toEqual([`"${text}"`])
})

test('formats without a definition are those of Office, and days may be counted from 1904', async () => {
  const styles = '<styleSheet><cellXfs><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="46"/></cellXfs></styleSheet>'
  const row = [
    { number: 46_155, style: 0 },
    { number: 46_155.75, style: 1 },
    { number: 0.75, style: 2 },
  ]
  const files = { 'xl/styles.xml': styles }
  expect(await linesOf({ A: [row] }, { properties: 'date1904="1"', files })).toEqual([
    '"2030-05-14","2030-05-14 18:00","18:00"',
  ])
})

test('texts are read from wherever a program writes them', async () => {
  const strings = ['<t>Shared</t>', '<r><t>Rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0"><t>x</t></rPh>']
  const row = [
    { attributes: 't="s"', xml: '<v>0</v>' },
    { attributes: 't="s"', xml: '<v>1</v>' },
    { attributes: 't="str"', xml: '<f>A1&amp;"!"</f><v>Say "hi" &amp; go</v>' },
    { attributes: 't="str"', xml: '<f>""</f><v></v>' },
    { attributes: 't="b"', xml: '<v>1</v>' },
    { attributes: 't="d"', xml: '<v>2030-05-14T10:00:00</v>' },
    'two\r\nlines_x000D_\n_x005F_',
    { attributes: 't="s"', xml: '<v>99</v>' },
  ]
  expect(await linesOf({ A: [row] }, { strings })).toEqual([
    `"Shared","Rich text","Say ""hi"" & go",,"TRUE","2030-05-14T10:00:00","two${lineSeparator}lines${lineSeparator}_",`.slice(
      0,
      -1,
    ),
  ])
})

test('names with a prefix, and rows and cells without a number, are read as well', async () => {
  const sheet =
    '<x:worksheet><x:sheetData><x:row r="3"><x:c r="C3"><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row>' +
    '<x:row><x:c t="inlineStr"><x:is><x:t>A</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
  expect(await linesOf({ A: [] }, { files: { 'xl/worksheets/sheet1.xml': sheet } })).toEqual([
    '',
    '',
    ',,"1","2"',
    '"A",,,',
  ])
})

test('a cell with an error, or with a formula without a result, is empty, and said', async () => {
  const rows = [
    ['Title'],
    [{ attributes: 't="e"', xml: '<f>1/0</f><v>#DIV/0!</v>' }, 'x'],
    [null, { xml: '<f>A1</f>' }, { attributes: 't="e"', xml: '<v>#N/A</v>' }],
  ]
  const { text, warnings } = await read(workbookOf({ A: rows }))
  expect(text).toBe('"Title",\n,"x"')
  expect(warnings).toEqual([
    { line: 2, message: 'Cell A2 has the error #DIV/0!; it was read as empty.' },
    { line: 3, message: expect.stringMatching(/^Cell B3 has a formula without a result.*save it again\.$/) },
  ])
})

test('the first visible sheet with the headings is read, and the others that have cells are named', async () => {
  const sheets = {
    Intro: [['Hello']],
    Old: [['Title', 'Start']],
    Plan: [['Title', 'Start']],
    Empty: [],
    'A & B': [['x']],
  }
  const isTable = (text: string) => text.includes('Start')
  const { text, warnings } = await read(workbookOf(sheets, { states: { Old: 'hidden' } }), isTable)
  expect(text).toBe('"Title","Start"')
  expect(warnings).toEqual([
    {
      line: 1,
      weight: 'unused',
      message: expect.stringMatching(/^Only the sheet “Plan” was read, not “Intro”, “A & B”\./),
    },
  ])
  expect((await read(workbookOf(sheets), () => false)).text).toBe('"Hello"')
  expect((await read(workbookOf({ A: [], B: [[' ']] }))).text).toBe('')
})

const cell = (reference: string) =>
  `<worksheet><sheetData><row r="${reference.replace(/\D/g, '')}"><c r="${reference}" t="s"><v>0</v></c></row></sheetData></worksheet>`
const sheet1 = (xml: string | Buffer) =>
  workbookOf({ A: [['Title']] }, { strings: ['<t>x</t>'], files: { 'xl/worksheets/sheet1.xml': xml } })
const compound = (text: string) => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')])

test.each([
  ['of Excel before 2007', compound('Workbook'), /\.xls\).*save it as an Excel workbook \(\.xlsx\) or as CSV/],
  ['with a password', compound('EncryptedPackage'), /protected by a password/],
  ['of LibreOffice', zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }), /OpenDocument.*\.xlsx/],
  [
    'of Word',
    zipOf({ '[Content_Types].xml': 'spreadsheetml.sheet wordprocessingml.document.main+xml' }),
    /office document/,
  ],
  ['of Numbers', zipOf({ 'Index/Document.iwa': '' }), /office document.*\.xlsx/],
  ['in an archive', zipOf({ 'a.txt': 'x' }), /is an archive/],
  ['that is damaged', workbookOf({ A: [['x']] }).then((bytes) => bytes.subarray(0, 300)), /cannot be unpacked: /],
  ['without its main part', zipOf({ '[Content_Types].xml': 'spreadsheetml.sheet.main+xml' }), /no part of a workbook/],
  ['of which a part is cut off', sheet1('<worksheet><sheetData><row r="1"><c r="A1"><v>1'), /a part of it is cut off/],
  ['nested too deeply', sheet1('<a>'.repeat(1_000_000)), /nested too deeply/],
  [
    'with a million attributes',
    sheet1(`<a ${Array.from({ length: 1_000_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
    /too many attributes/,
  ],
  ['with text in row 1048576', sheet1(cell('A1048576')), /row 1048576 has text, and only 100000 rows can be read/],
  ['with text in column XFD', sheet1(cell('XFD1')), /cell XFD1 has text, and only 500 columns can be read/],
  [
    'with a cell of a million characters',
    sheet1(sheetOf([['_x000A_'.repeat(150_000)]])),
    /more than 200,000 characters/,
  ],
  ['with 200 MB', sheet1(Buffer.alloc(200_000_000, ' ')), /larger than 40 MB/],
])('a workbook %s is refused with the reason', async (_, bytes, reason) => {
  await expect(read(bytes)).rejects.toThrow(reason)
})

test('a sheet that a workbook lists a thousand times is read once', async () => {
  const list = '<sheet name="A" r:id="sheet1"/>'.repeat(1_000)
  const files = { 'xl/workbook.xml': `<workbook><sheets>${list}</sheets></workbook>` }
  let reads = 0
  await read(workbookOf({ A: [['x']] }, { files }), () => ++reads > 9_000)
  expect(reads).toBe(1)
})

test('a text that many cells share is counted in each', async () => {
  const rows = Array.from({ length: 1_000 }, () => [{ attributes: 't="s"', xml: '<v>0</v>' }])
  await expect(read(workbookOf({ A: rows }, { strings: [`<t>${'x'.repeat(30_000)}</t>`] }))).rejects.toThrow(
    'program.xlsx cannot be read: it has more than 20 million characters.',
  )
})

test('characters of all the sheets that are read are counted together', async () => {
  const row = { attributes: 't="s"', xml: '<v>0</v>' }
  const names = Array.from({ length: 3 }, (_, n) => `Sheet ${n}`)
  const sheets = Object.fromEntries(names.map((name) => [name, Array.from({ length: 300 }, () => [row])]))
  const bytes = await workbookOf(sheets, { strings: [`<t>${'x'.repeat(30_000)}</t>`] })
  let reads = 0
  await expect(read(bytes, () => ++reads > 9)).rejects.toThrow('it has more than 20 million characters')
  expect(reads).toBe(2)
})

test('a cell with an error below the last row that is read is not said', async () => {
  const cells = Array.from({ length: 100 }, (_, n) => `<row r="${999_000 + n}"><c t="e"><v>#N/A</v></c></row>`)
  const xml = sheetOf([['Title']]).replace('</sheetData>', `${cells.join('')}</sheetData>`)
  expect(await read(sheet1(xml))).toMatchObject({ text: '"Title"', warnings: [] })
})

test('a number format of a megabyte is read in no time, and as often as cells have it', async () => {
  const cells = [[{ number: 47_617, style: 1 }]]
  expect(await linesOf({ A: cells }, { formats: ['['.repeat(1_000_000)] })).toEqual(['"47617"'])
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'x'.repeat(1_000_000)}y"/></numFmts><cellXfs>${'<xf numFmtId="164"/>'.repeat(100_000)}</cellXfs></styleSheet>`
  expect(await linesOf({ A: cells }, { files: { 'xl/styles.xml': styles } })).toEqual(['"47617"'])
})

test('what is wrong with a cell is said in one line of plain text', async () => {
  const error = { attributes: 't="e"', xml: '<v>\u001b[31m\n#N/A</v>' }
  expect((await read(workbookOf({ A: [[error, 'x']] }))).warnings).toMatchObject([
    { message: 'Cell A1 has the error [31m #N/A; it was read as empty.' },
  ])
})

test('a file name in an archive is said in one line of plain text', async () => {
  const archive = (await zipOf({ 'a.csv': 'x', 'bbbbbbb.csv': 'y' })).toString('latin1')
  const renamed = Buffer.from(archive.replaceAll('bbbbbbb', '/\u001b[31m\n'), 'latin1')
  await expect(read(renamed)).rejects.toThrow('program.xlsx cannot be unpacked: absolute path: / [31m .csv.')
})

test('entities are not expanded, and nothing outside is read', async () => {
  const rows = sheetOf([['Title']]).replace('Title', '&a;&lol;')
  const xml = rows.replace(
    '<worksheet>',
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY lol "lol">]><worksheet>',
  )
  expect((await read(sheet1(xml))).text).toBe('"&a;&lol;"')
  const relations =
    '<Relationships><Relationship Id="sheet1" Type="x/worksheet" Target="../../../etc/passwd"/></Relationships>'
  expect((await read(workbookOf({ A: [['x']] }, { files: { 'xl/_rels/workbook.xml.rels': relations } }))).text).toBe('')
})

test('formatted rows without text, up to the last of Excel, are no rows', async () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, n) => `<row r="${998_577 + n}"><c r="XFD${998_577 + n}" s="1"/></row>`,
  )
  const xml = sheetOf([['Title']]).replace('</sheetData>', `${rows.join('')}</sheetData>`)
  expect((await read(sheet1(xml))).text).toBe('"Title"')
})
