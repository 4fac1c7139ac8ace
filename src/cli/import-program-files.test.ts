import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../test/command.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

const sessions = 'Title,start_time,venue_id,speaker_ids\nOpening,2031-03-14 09:00,7,"12,13"\n'
const venues = 'id,name\n7,Gletscher\n'
const speakers = 'id,name\n12,Mira Solari\n13,Jon Bergé\n'

/** A zip of the files. @param declaredSize the uncompressed size that its headers state, if it is a lie */
function zip(files: Record<string, string | Buffer>, declaredSize?: number): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const data = deflateRawSync(content)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(crc32(content), 10)
    header.writeUInt32LE(data.length, 14)
    header.writeUInt32LE(declaredSize ?? content.length, 18)
    header.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), data])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), header, place, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end])
}

async function importing(files: Record<string, string | Buffer>, ...args: string[]) {
  return importingWith({}, files, ...args)
}

async function importingWith(
  settings: Record<string, string>,
  files: Record<string, string | Buffer>,
  ...args: string[]
) {
  await using folder = await createTemporaryFolder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content)
  const paths = args.map((arg) => (arg in files ? join(folder.path, arg) : arg))
  return await runSummitInProcess(['import', 'program', ...paths], { DATA_DIR: join(folder.path, 'data'), ...settings })
}

test('an organizer gives the files that name the rooms and speakers of a program', async () => {
  const files = { 'sessions.csv': sessions, 'rooms.csv': venues, 'people.csv': speakers }
  const { code, out } = await importing(files, 'sessions.csv', '--venues', 'rooms.csv', '--speakers', 'people.csv')
  expect([code, out]).toEqual([0, expect.stringContaining('Opening (Gletscher, 2031-03-14 09:00)')])
  expect(out).not.toContain('Warnings')
})

test('a zip with a program, its venues and its speakers is imported as one', async () => {
  const archive = zip({ 'export/sessions.csv': sessions, 'export/venues.csv': venues, 'export/speakers.csv': speakers })
  const { code, out } = await importing({ 'export.zip': archive }, 'export.zip')
  expect([code, out]).toEqual([0, expect.stringContaining('Opening (Gletscher, 2031-03-14 09:00)')])
  expect(out).toContain('export.zip/export/sessions.csv: CSV, usable sessions: 1')
})

test.each([
  ['with two programs', zip({ 'a.csv': sessions, 'b.csv': sessions }), /one program.*Its files: a\.csv, b\.csv\./],
  ['without files', zip({ 'a.png': '' }), /Its files: none that can be read/],
  [
    'with too many files',
    zip(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}.csv`, '']))),
    /101 files/,
  ],
  ['of 200 MB', zip({ 'a.csv': Buffer.alloc(1), 'b.csv': '' }, 200_000_000), /larger than 100 MB/],
  ['with more than its header says', zip({ 'a.csv': Buffer.alloc(5_000_000) }, 10), /cannot be unpacked: /],
  ['with a path out of its folder', zip({ '../a.csv': sessions }), /cannot be unpacked: /],
  ['that is a document of Word', zip({ '[Content_Types].xml': '', 'word/a.xml': '' }), /save it as an Excel workbook/],
  ['that is cut off', zip({ 'a.csv': sessions }).subarray(0, 60), /cannot be unpacked: /],
])('a zip %s is refused with the reason', async (_, archive, reason) => {
  expect(await importing({ 'export.zip': archive }, 'export.zip')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(reason),
  })
})

test('a first day that is no date, and a file of venues without names, are refused', async () => {
  const files = { 'sessions.csv': sessions, 'venues.csv': 'a,b\n1,2\n' }
  expect(await importing(files, 'sessions.csv', '--first-day', 'Thursday')).toMatchObject({
    code: 1,
    err: '--first-day Thursday is not a date; write it as YYYY-MM-DD.\n',
  })
  expect(await importing(files, 'sessions.csv', '--venues', 'venues.csv')).toMatchObject({
    code: 1,
    err: expect.stringContaining('“venues.csv” has no venues'),
  })
})

test('days are counted from the first day that the organizer gives', async () => {
  const files = { 'a.csv': 'Title,Day,Time\nOpening,Day 2,09:00\n' }
  expect((await importing(files, 'a.csv', '--first-day', '2026-03-12')).out).toContain('Opening (2026-03-13 09:00)')
})

test('times without a zone are those of the summit: a duration over its change of clock is exact', async () => {
  const files = { 'a.csv': 'Title,Start,Duration\nDance,2030-10-27 00:00,4 h\nTalk,2030-10-27 19:00 CET,1 h\n' }
  const { out } = await importingWith({ TIMEZONE: 'Europe/Berlin' }, files, 'a.csv')
  expect(out).toContain(
    'Warnings (1):\n  line 2: Session “Dance” lasts over a change of clock in Europe/Berlin; its end was set to 2030-10-27 03:00:00.\n',
  )
})
