import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { header, importLines, linesLike, talks } from './plan.fixtures.ts'

test('the plan begins with days, rooms and the way in which dates were read', async () => {
  await using t = await startTestApp()
  const lines = ['id,title,date,start,room', 'a,Opening,12/1/24,9:00,Hall', 'b,Closing,12/6/24,17:00,Garden']
  expect(await importLines(t, lines)).toContain(
    'program.csv: CSV, usable sessions: 2\n' +
      '  days: 2, from Sunday 1 December 2024 to Friday 6 December 2024\n' +
      '  rooms: 2\n' +
      '  Dates such as “12/1/24” are read month first (Sunday 1 December 2024), because the file then spans 6 days ' +
      'instead of 153 days. If that is wrong, add --dates day-first.\n' +
      '  new rooms: 2\n\n' +
      '  new             2\n',
  )
  const dayFirst = await importLines(t, lines, '--dates', 'day-first')
  expect(dayFirst).toContain('  days: 2, from Friday 12 January 2024 to Wednesday 12 June 2024\n')
  expect(dayFirst).toContain('as --dates says.\n')
})

test('a plan of sessions without ids advises an id column, and a plan of sessions with ids does not', async () => {
  await using t = await startTestApp()
  expect(await importLines(t, ['title,start', 'Opening,2030-05-02 09:00'])).toContain(
    '\n  sessions without an id: 1. They are recognized by title, speakers, start and room; with a column “ID”,',
  )
  expect(await importLines(t, [header, ',Opening,2030-05-02 09:00,', ...talks(2, 'Hall')])).toContain(
    '\n  sessions without an id: 1. They',
  )
  expect(await importLines(t, [header, ...talks(2, 'Hall')])).not.toContain('recognized by')
})

test('a renamed room is one line of the plan, and with --all one for each session', async () => {
  await using t = await startTestApp()
  await importLines(t, [header, ...talks(24, 'Hall'), 'x,Party,2030-05-02 20:00,Hall'], '--apply')
  const renamed = [header, ...talks(24, 'Main hall'), 'x,Party,2030-05-02 21:00,Main hall']

  expect(linesLike(await importLines(t, renamed), /^ {2}moved +(?!\d+$)\S/)).toEqual([
    '  moved      24 sessions: room “Hall” → “Main hall”',
    expect.stringMatching(
      /^ {2}moved {6}Party .*: start “2030-05-02 20:00” → “2030-05-02 21:00”, .*room “Hall” → “Main hall”$/,
    ),
  ])
  expect(linesLike(await importLines(t, renamed, '--all'), /^ {2}moved +(?!\d+$)\S/)).toHaveLength(25)
})

test('a changed title is shown with the old one', async () => {
  await using t = await startTestApp()
  await importLines(t, [header, ...talks(2, 'Hall')], '--apply')
  const [first = '', second = ''] = talks(2, 'Hall')
  expect(await importLines(t, [header, first.replace('Talk 0', 'Keynote'), second])).toContain(
    '\n  retitled   Keynote (Hall, 2030-05-02 09:00): title “Talk 0” → “Keynote”\n',
  )
})

test('a new session that is cancelled in the file is listed as such, also from a spreadsheet of Summit', async () => {
  await using t = await startTestApp()
  const lines = [
    'id,title,start,room,status',
    'a,Opening,2030-05-02 09:00,Hall,',
    'b,Party,2030-05-02 20:00,Bar,CANCELLED',
  ]
  const news = [
    '  new        Opening (Hall, 2030-05-02 09:00)',
    '  new        Party (Bar, 2030-05-02 20:00) (cancelled)',
  ]
  expect(linesLike(await importLines(t, lines, '--apply'), /^ {2}new {8}\S/)).toEqual(news)
  const exported = await runSummitInProcess(['export', 'sessions'], t.settings)
  await using other = await startTestApp()
  expect(linesLike(await importLines(other, [exported.out]), /^ {2}new {8}\S/)).toEqual(news)
})

test('an import that would change nothing says that there is nothing to do', async () => {
  await using t = await startTestApp()
  const lines = [header, ...talks(2, 'Hall')]
  await importLines(t, lines, '--apply')
  for (const options of [[], ['--apply']])
    expect(await importLines(t, lines, ...options)).toMatch(/unchanged +2\n\nNothing to do\.\n$/)
})
