import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { apply, plan, startWithEditor, toFile } from '../by-request/import-program.fixtures.ts'
import { readProgramBytes } from '../encoding/program-files.ts'
import { readProgramFile } from '../program/read-program-file.ts'
import { sheetOf, workbookOf, zipOf } from './workbook.fixtures.ts'

// The first plan of a server starts a process.
vi.setConfig({ testTimeout: 60_000 })

const formats = ['dd.mm.yyyy', 'hh:mm', '[h]:mm']
const day = { number: 47_617, style: 1 }
const at = (hour: number) => ({ number: hour / 24, style: 2 })
const program = {
  Notes: [['To do'], ['Call Ana']],
  Program: [
    ['Our meetup'],
    ['Title', 'Date', 'Start', 'Duration', 'Room', 'Abstract'],
    ['Opening', day, at(9), { number: 1 / 32, style: 3 }, 'Hall', 'First part\n\nSecond part'],
    ['Boats', null, at(10.25), { number: 1 / 24, style: 3 }, 'Pier', ''],
  ],
  Rooms: [['Room'], ['Hall']],
}

test('an editor imports a workbook by request', async () => {
  await using t = await startWithEditor()
  const file = toFile(await workbookOf(program, { formats }), 'meetup.xlsx')
  const planned = await plan(t.editor, file)
  expect(planned).toMatchObject({
    format: 'Excel workbook',
    sessions: [
      { title: 'Opening', where_and_when: 'Hall, 2030-05-14 09:00', line: 3 },
      { title: 'Boats', where_and_when: 'Pier, 2030-05-14 10:15', line: 4 },
    ],
  })
  expect(planned.remarks).toContainEqual({
    line: 1,
    kind: 'unused',
    message: expect.stringContaining('Only the sheet “Program” was read, not “Notes”, “Rooms”.'),
  })
  await apply(t.editor, file)
  const { schedule } = await t.ana.client.getSchedule({})
  expect(schedule.events).toMatchObject([
    {
      title: 'Opening',
      starts_at: expect.stringContaining('T09:00'),
      ends_at: expect.stringContaining('T09:45'),
    },
    { title: 'Boats', starts_at: expect.stringContaining('T10:15'), ends_at: expect.stringContaining('T11:15') },
  ])
  expect((await plan(t.editor, file)).counts).toMatchObject({ unchanged: 2, new: 0 })
  await expect(plan(t.editor, toFile(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'a.xls'))).rejects.toMatchObject({
    data: { fields: [{ message: expect.stringContaining('save it as an Excel workbook (.xlsx) or as CSV') }] },
  })
})

test('an operator imports workbooks of a program, its rooms and participants by command', async () => {
  await using folder = await createTemporaryFolder()
  const write = async (name: string, ...args: Parameters<typeof workbookOf>) => {
    await writeFile(join(folder.path, name), await workbookOf(...args))
    return join(folder.path, name)
  }
  const run = (...args: string[]) => runSummitInProcess(['import', ...args], { DATA_DIR: join(folder.path, 'data') })
  const sheets = {
    Program: [
      ['Title', 'Date', 'Start', 'venue_id'],
      ['Opening', day, at(9), 7],
    ],
  }
  const file = await write('program.xlsx', sheets, { formats })
  const rooms = await write('rooms.xlsx', {
    Intro: [['Our rooms']],
    Rooms: [
      ['Id', 'Name'],
      [7, 'Glacier'],
    ],
  })
  const planned = await run('program', file, '--venues', rooms)
  expect(planned.out).toContain('program.xlsx: Excel workbook, usable sessions: 1')
  expect(planned.out).toMatch(/new +Opening \(Glacier, 2030-05-14 09:00\)/)

  const people = {
    Help: [['Name'], ['of the person']],
    People: [
      ['E-mail', 'Name'],
      ['kim@x.example', 'Kim Lee'],
      ['kim', 'x'],
    ],
  }
  const { code, out } = await run('participants', await write('people.xlsx', people), '--apply')
  expect([code, out]).toEqual([0, expect.stringMatching(/new +Kim Lee <kim@x\.example>/)])
  expect(out).toContain('line 3: “kim” is not a valid e-mail address; row skipped.')
  expect(out).toContain('Only the sheet “People” was read, not “Help”.')
})

const read = async (bytes: Buffer, name: string) => {
  const file = readProgramFile(await readProgramBytes(bytes, name, undefined), defaultLimits, {}, [], 'program')
  return { ...file, format: 'CSV' }
}

test('a workbook of another program has the sessions that its CSV has', async () => {
  const csv =
    'Title,Date,Start,End,Room,Speaker\nOpening,2030-05-14,09:00,09:30,Main hall,Ana Cruz\nLunch,2030-05-14,later,,Main hall,\n'
  const file = readFileSync(new URL('fixtures/program.xlsx', import.meta.url))
  expect(await read(file, 'program.xlsx')).toEqual(await read(Buffer.from(csv), 'program.xlsx'))
})

test('a cell of several lines has them, and those below it are in their row all the same', async () => {
  const { sessions } = await read(await workbookOf(program, { formats }), 'meetup.xlsx')
  expect(sessions).toMatchObject([
    { line: 3, description: expect.stringMatching(/^<p>First part<\/p>\s*<p>Second part<\/p>\s*$/) },
    { line: 4, description: '' },
  ])
})

test('a zip may have workbooks, too', async () => {
  const sessions = await workbookOf(
    {
      A: [
        ['Title', 'Date', 'Start', 'venue_id'],
        ['Opening', day, at(9), 7],
      ],
    },
    { formats },
  )
  for (const name of ['sessions.xlsx', 'sessions.xlsm']) {
    const archive = await zipOf({ [name]: sessions, 'venues.csv': 'id,name\n7,Glacier\n' })
    expect((await read(archive, 'export.zip')).sessions).toMatchObject([{ title: 'Opening', room: 'Glacier' }])
  }
})

test('any table has the same plan as a workbook and as CSV', async () => {
  const cell = fc.oneof(
    fc.constantFrom('', 'Hall', '2030-05-14', '2030-05-14 09:00', '10:30', 'Ana Cruz; Ben Day', '#N/A', "'=1+1", '[x]'),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(/[\p{C}\u2028\u2029]/gu, '')),
  )
  const header = fc.constantFrom(
    ['Title', 'Date', 'Start', 'Room', 'Speaker'],
    ['Titel', 'Beginn', 'Ende', 'Raum', 'x'],
  )
  await fc.assert(
    fc.asyncProperty(
      header,
      fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }), { maxLength: 8 }),
      async (header, rows) => {
        const table = [header, ...rows.filter((row) => row.some((cell) => cell.trim() !== ''))]
        const quoted = table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
        const workbook = await workbookOf({ Program: table })
        expect(await read(workbook, 'a.csv')).toEqual(await read(Buffer.from(quoted.join('\n')), 'a.csv'))
      },
    ),
    { numRuns: 100 },
  )
})

test('a line separator (U+2028) in a text of a CSV file stays one', async () => {
  const file = Buffer.from('Title,Start,Description\nOpening,2030-05-14 09:00,"one\u2028two"\n')
  expect(JSON.stringify((await read(file, 'a.csv')).sessions)).toContain('one\u2028two')
})

test('a session of a workbook that was made from sessions.csv is the stored one', async () => {
  await using t = await startWithEditor()
  await apply(t.editor, toFile('title,start,end,room\nOpening,2030-05-14 09:00,2030-05-14 10:00,Hall\n'))
  const csv = await (await fetch(`${t.url}/api/program/export/sessions.csv`, { headers: t.headers })).text()
  const [header = [], row = []] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.replace(/^"|"$/g, '')))
  const moved = row.map((cell) => (cell === 'Hall' ? 'Pier' : cell))
  const xml = sheetOf([header, moved])
  const file = toFile(await workbookOf({ A: [] }, { files: { 'xl/worksheets/sheet1.xml': xml } }), 'sessions.xlsx')
  expect((await plan(t.editor, file, { partial: true })).sessions).toMatchObject([
    { title: 'Opening', change: 'moved', differences: ['room “Hall” → “Pier”'] },
  ])
})
