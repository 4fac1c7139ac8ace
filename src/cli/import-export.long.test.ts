import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { type Cells, correct, exportRows, importFile, setCell, startWithProgram } from './import-export.fixtures.ts'

describe('an export of the events', () => {
  test.each([
    ['title', { title: 'Welcome' }, 'retitled', 'title “=Opening” → “Welcome”'],
    ['speaker', { speaker: 'Ana Cruz' }, 'changed', 'speakers “Cruz, Ana, Ben Day” → “Ana Cruz”'],
    ['description', { description: 'Plain text' }, 'changed', 'description'],
    ['address', { location_address: '2 Main St' }, 'changed', 'address none → “2 Main St”'],
    ['cleared cell', { position: '' }, 'changed', 'position “Chair” → none'],
    ['cancellation', { is_cancelled: 'TRUE' }, 'cancelled', ''],
    ['identity', { source_key: '1.0E+12', title: 'Welcome' }, 'retitled', 'title “=Opening” → “Welcome”'],
  ])('corrects the %s of a session', async (_, cells, change, difference) => {
    await using t = await startWithProgram()
    const { changes } = await correct(t, 'events', setCell(1, cells), '--apply')
    expect(changes).toEqual([expect.stringMatching(new RegExp(`^ {2}${change} `))])
    expect(changes[0]).toContain(difference)
    expect((await correct(t, 'events', (rows) => rows)).out).toContain('Nothing to do.')
    expect(await exportRows(t, 'events')).toHaveLength(4)
  })

  test('changes nothing the second time, though its columns of day and time are those of the former start', async () => {
    await using t = await startWithProgram()
    const moved = setCell(1, { date_from: '5/1/2030 8:15', date_to: '5/1/2030 9:15' })
    const { changes } = await correct(t, 'events', moved, '--dates', 'month-first', '--apply')
    expect(changes).toHaveLength(1)
    const before = await exportRows(t, 'events')
    const second = await importFile(t, 'events', join(t.dataDir, 'list.csv'), '--dates', 'month-first', '--apply')
    expect(second.out).toContain('Nothing to do.')
    expect(await exportRows(t, 'events')).toEqual(before)
    expect(before[0]).toMatchObject({ program_date: '2030-05-01', program_time: '08:15:00' })
  })

  test('leaves a day and time that follow the start, with a warning, and corrects a day that does not', async () => {
    await using t = await startWithProgram()
    const followed = await correct(t, 'events', setCell(1, { program_time: '08:00:00' }), '--apply')
    expect(followed.out).toContain(
      'line 2: The program_time “08:00:00” of session “=Opening” was ignored: it follows date_from.',
    )
    expect(followed.out).toContain('Nothing to do.')
    const night = { program_date: '2030-05-04', date_from: '2030-05-05 00:30:00', program_time: '00:30:00' }
    const id = await make.event(t, { title: 'Party', ...night })
    const corrected = await correct(t, 'events', setCell(id, { program_date: '2030-05-03' }), '--apply')
    expect(corrected.changes).toEqual([expect.stringContaining('day “2030-05-04” → “2030-05-03”')])
    expect((await importFile(t, 'events', join(t.dataDir, 'list.csv'))).out).toContain('Nothing to do.')
  })

  test('is understood with the dates that a spreadsheet has made of it', async () => {
    await using t = await startWithProgram()
    const spreadsheet = (rows: Cells[]) =>
      rows.map((row) => ({
        ...row,
        date_from: (row.date_from ?? '').replace(/^(\d+)-0(\d)-0(\d) (.*):00$/, '$2/$3/$1 $4'),
        date_to: (row.date_to ?? '').replace(/^(\d+)-0(\d)-0(\d) (.*):00$/, '$2/$3/$1 $4'),
        program_time: (row.program_time ?? '').replace(/^0(.*):00$/, '$1'),
      }))
    const { out } = await correct(t, 'events', spreadsheet)
    expect(out).toContain('Nothing to do.')
    expect(out).toContain('read month first')
  })

  test('is understood if a spreadsheet has left one date that can be read in two ways', async () => {
    await using t = await startWithProgram()
    const spreadsheet = (rows: Cells[]) =>
      rows
        .slice(0, 1)
        .map((row) => ({ ...row, date_from: '5/2/2030 9:00', date_to: '5/2/2030 10:00', program_date: '5/2/2030' }))
    const { out } = await correct(t, 'events', spreadsheet)
    expect(out).toContain('read month first (Thursday 2 May 2030), because the file and the stored program together')
    expect(out).toContain('Nothing to do.')
  })

  test('skips a row that cannot be used, and says why', async () => {
    await using t = await startWithProgram()
    const edit = (rows: Cells[]) => [
      ...setCell(1, { title: ' ' })(rows.slice(0, 1)),
      ...setCell(2, { date_to: 'evening' })(rows.slice(1, 2)),
      ...setCell(3, { date_to: '2030-05-01 09:00', photo: 'other.jpg' })(rows.slice(2, 3)),
      ...rows.slice(3, 4),
      ...rows.slice(3, 4),
    ]
    const { out, changes } = await correct(t, 'events', edit, '--apply')
    expect(changes).toEqual([])
    expect(out).toContain('line 2: Session “1”: it has no title; row skipped.')
    expect(out).toContain('line 3: Session “Closing”: the date_to “evening” is not a date with a time; row skipped.')
    expect(out).toMatch(/line \d+: Session “Workshops”: it ends before it starts; row skipped\./)
    expect(out).toMatch(/line \d+: Session “Undated”: its id 4 is already in line \d+; row skipped\./)
  })

  test('brings a program into another summit, with other ids', async () => {
    await using t = await startWithProgram()
    const file = join(t.dataDir, 'events.csv')
    await runSummitInProcess(['export', 'events', '--out', file], t.settings)
    await using other = await startTestApp()
    await make.event(other, { title: 'Something else', date_from: '2031-01-01 09:00:00' })
    const { out, changes } = await importFile(other, 'events', file, '--apply')
    expect(changes).toHaveLength(4)
    expect(out).toContain('The pictures of session “Workshops” were left as they are')
    const rows = await exportRows(other, 'events')
    expect(rows.map(({ title }) => title)).toEqual(['Something else', '=Opening', 'Closing', 'Workshops', 'Undated'])
    expect(rows[1]).toMatchObject({
      source: 'program',
      source_key: 'a',
      location_name: 'Hall',
      program_date: '2030-05-02',
    })
    expect((await importFile(other, 'events', file)).out).toContain('Nothing to do.')
  })

  test('is not mistaken for the schedules of the events', async () => {
    await using t = await startWithProgram()
    const file = join(t.dataDir, 'activities.csv')
    await runSummitInProcess(['export', 'activities', '--out', file], t.settings)
    const { code, out } = await importFile(t, 'events', file, '--apply')
    expect([code, out]).toEqual([1, expect.stringContaining('Export and import the list “events” instead.')])
  })
})

describe('an export of the participants', () => {
  async function people() {
    const t = await startTestApp()
    await make.participant(t, { email: 'ana@x.example', employee_no: 'E1', photo: 'people/ana.jpg', mobile_no: '+1 2' })
    await make.participant(t, { first_name: 'Ben', email: 'ben@x.example' })
    await make.participant(t, { first_name: 'Cy', last_name: 'Ek' })
    return t
  }

  test.each([
    ['address', 2, { email: 'benjamin@x.example' }],
    ['number that there was not', 3, { employee_no: 'E3' }],
    ['cleared cell', 1, { mobile_no: '' }],
    ['name', 2, { first_name: 'Benjamin' }],
  ])('corrects the %s, by id, and nothing else', async (_, id, cells) => {
    await using t = await people()
    const before = await exportRows(t, 'participants')
    // Only a new address needs the option.
    const options = 'email' in cells ? ['--same-person'] : []
    const { changes } = await correct(t, 'participants', setCell(id, cells), '--apply', ...options)
    expect(changes).toHaveLength(1)
    const modified_at = expect.any(String)
    expect(await exportRows(t, 'participants')).toEqual(
      before.map((row) => (Number(row.id) === id ? { ...row, ...cells, modified_at } : row)),
    )
  })

  test('does not change the participant who has that id in another summit', async () => {
    await using t = await people()
    const file = join(t.dataDir, 'people.csv')
    await runSummitInProcess(['export', 'participants', '--out', file], t.settings)
    await using other = await startTestApp()
    await make.participant(other, { first_name: 'Zoe', email: 'zoe@x.example' })
    const { out, changes } = await importFile(other, 'participants', file, '--apply')
    expect(changes).toHaveLength(2)
    expect(out).toContain('line 4: No stored participant has the id 3 and this name; row skipped.')
    expect(out).toContain('line 2: The photo “people/ana.jpg” is not an http(s) URL; it was ignored.')
    expect((await exportRows(other, 'participants')).map(({ email }) => email)).toEqual([
      ...['zoe@x.example', 'ana@x.example', 'ben@x.example'],
    ])
  })
})
