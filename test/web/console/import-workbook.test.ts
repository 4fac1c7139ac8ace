import { expect, test, vi } from 'vitest'
import { workbookOf } from '../../../src/server/domains/import/workbook/workbook.fixtures.ts'
import { startAppWithKeys } from '../../access/app-with-keys.ts'
import { signInToConsole } from './organizer.ts'
import { plan, startImporting } from './program-files.ts'

// The first plan of a server starts a process.
vi.setConfig({ testTimeout: 60_000 })

type Rows = Parameters<typeof workbookOf>[0][string]

const workbook = async (rows: Rows, name = 'meetup.xlsx') =>
  new File([new Uint8Array(await workbookOf({ Program: rows, Budget: [['Pizza', 90]] }, { formats }))], name)

const formats = ['d. mmmm yyyy', 'hh:mm']
const day = { number: 47_605, style: 1 }
const at = (hour: number) => ({ number: hour / 24, style: 2 })
const header = ['Title', 'Date', 'Start', 'End', 'Room', 'Speaker']
const opening = ['Opening', day, at(9), at(9.5), 'Hall', 'Ana Cruz']

test('an organizer imports her workbook, mends the rows that the plan names, and imports it again', async () => {
  await using t = await startImporting()
  const faulty = await workbook([
    [...header, 'Helper'],
    [...opening, 'Kim'],
    ['Boats', day, 'after lunch', null, 'Pier', 'Ben Day'],
    [],
    ['Closing', day, at(17), { attributes: 't="e"', xml: '<v>#REF!</v>' }, 'Hall', 'Ana Cruz'],
  ])
  const planned = await t.eva.submit('/console/import', plan, { file: faulty })
  expect(planned.status).toBe(200)
  expect(planned.words).toMatch(/What this file changes 2 new FormatExcel workbook/)
  expect(planned.words).toContain('Opening Hall, 2 May, 09:00 · line 2')
  expect(planned.words).toMatch(/Left out line 3: Session “Boats” starts at “after lunch”/)
  expect(planned.words).toContain('line 5: Cell D5 has the error #REF!; it was read as empty.')
  expect(planned.words).toContain('Only the sheet “Program” was read, not “Budget”.')
  expect(planned.words).toContain('To use a column, give it another heading')
  const mended = await workbook([
    header,
    opening,
    ['Boats', day, at(13), at(14), 'Pier', 'Ben Day'],
    ['Closing', day, at(17), at(18), 'Hall', 'Ana Cruz'],
  ])
  const again = await t.eva.submit(planned, plan, { file: mended, draft: 'false' })
  expect(again.words).toContain('3 new')
  expect(again.words).not.toContain('Left out')
  const done = await t.eva.submit(again, 'Import', { file: mended })
  expect(done.words).toContain('The file is imported. Undo')
  expect(await t.titles()).toEqual(['Opening', 'Boats', 'Closing'])
})

test('an organizer imports a workbook of participants', async () => {
  await using t = await startAppWithKeys('members')
  const dora = await signInToConsole(t, 'dora@summit.example', ['desk'])
  const rows = [
    ['E-mail', 'First name', 'Employee number'],
    ['kim@x.example', 'Kim', '0042'],
    ['lou', 'Lou', 43],
  ]
  const file = await workbook(rows, 'people.xlsx')
  const planned = await dora.submit('/console/import/participants', plan, { file })
  expect(planned.words).toContain('1 new')
  expect(planned.words).toContain('line 3: “lou” is not a valid e-mail address; row skipped.')
  expect((await dora.submit(planned, 'Import', { file })).words).toContain('1 participant was imported')
})
