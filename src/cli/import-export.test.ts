import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { type Cells, correct, exportRows, importFile, setCell, startWithProgram } from './import-export.fixtures.ts'

describe('an export of the events', () => {
  test.each(['csv', 'json'])('changes nothing when it is imported as %s unchanged', async (format) => {
    await using t = await startWithProgram()
    const file = join(t.dataDir, `events.${format}`)
    await runSummitInProcess(['export', 'events', '--format', format, '--out', file], t.settings)
    const { out } = await importFile(t, 'events', file, '--apply')
    expect(out).toMatch(/: exported events: 4\n[\s\S]*unchanged +4\n\nNothing to do\.\n$/)
    expect(out).not.toContain('Warnings')
  })

  test('changes one cell if that was corrected, and nothing else', async () => {
    await using t = await startWithProgram()
    const before = await exportRows(t, 'events')
    const { changes } = await correct(t, 'events', setCell(1, { location_name: 'Garden' }), '--apply')
    expect(changes).toEqual(['  moved      =Opening (Garden, 2030-05-02 09:00): room “Hall” → “Garden”'])
    const changed = {
      location_name: 'Garden',
      room_id: expect.any(Number),
      modified_at: expect.any(String),
      sequence: 1,
    }
    expect(await exportRows(t, 'events')).toEqual(
      before.map((row, index) => (index === 0 ? { ...row, ...changed } : row)),
    )
  })

  test('is not changed by a cell of yes or no that is neither', async () => {
    await using t = await startWithProgram()
    const { out, changes } = await correct(t, 'events', setCell(1, { is_cancelled: 'cancelled' }), '--apply')
    expect(out).toContain(
      'line 2: Session “=Opening”: the is_cancelled “cancelled” is neither yes nor no; row skipped.',
    )
    expect(changes).toEqual([])
  })

  test.each([
    ['date_from', '2030-05-01 25:00:00', 'a date with a time'],
    ['date_from', '2030-02-30 09:00:00', 'a date with a time'],
  ])('is not changed by a %s that no clock or calendar shows: %s', async (column, cell, expected) => {
    await using t = await startWithProgram()
    const { out, changes } = await correct(t, 'events', setCell(1, { [column]: cell }), '--apply')
    expect(out).toContain(`the ${column} “${cell}” is not ${expected}; row skipped.`)
    expect(changes).toEqual([])
  })

  test('moves a session with its day, its time and its schedule', async () => {
    await using t = await startWithProgram()
    const moved = { date_from: '2030-05-04 11:00:00', date_to: '2030-05-04 12:00:00' }
    const { changes } = await correct(t, 'events', setCell(1, moved), '--apply')
    expect(changes).toEqual([
      '  moved      =Opening (Hall, 2030-05-04 11:00): start “2030-05-02 09:00” → “2030-05-04 11:00”, end “2030-05-02 10:00” → “2030-05-04 12:00”',
    ])
    expect((await exportRows(t, 'events'))[0]).toMatchObject({ program_date: '2030-05-04', program_time: '11:00:00' })
    expect((await exportRows(t, 'activities')).find((row) => Number(row.event_id) === 1)).toMatchObject({
      ...{ date: '2030-05-04', time: '11:00:00', title: '=Opening' },
    })
    await correct(t, 'events', setCell(3, { title: 'Classes' }), '--apply')
    expect((await exportRows(t, 'activities')).filter((row) => Number(row.event_id) === 3)).toMatchObject([
      { title: 'Doors' },
      { title: 'Talks' },
    ])
  })

  test('cancels no session that is not in it, and adds a row that is new', async () => {
    await using t = await startWithProgram()
    const added = {
      id: '',
      source: '',
      source_key: '',
      title: 'Party',
      date_from: '2030-05-03 20:00:00',
      date_to: '',
      speaker: '',
    }
    const edit = (rows: Cells[]) => [...rows.slice(0, 1), { ...rows[1], ...added } as Cells]
    const { out, changes } = await correct(t, 'events', edit, '--apply')
    expect(out).toContain('  stored sessions that are not in the file, and stay: 3\n')
    expect(changes).toEqual(['  new        Party (Hall, 2030-05-03 20:00)'])
    expect((await importFile(t, 'events', join(t.dataDir, 'list.csv'))).out).toContain('Nothing to do.')
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

  test.each(['csv', 'json'])('changes nothing when it is imported as %s unchanged', async (format) => {
    await using t = await people()
    const file = join(t.dataDir, `people.${format}`)
    await runSummitInProcess(['export', 'participants', '--format', format, '--out', file], t.settings)
    const { out } = await importFile(t, 'participants', file)
    expect(out).toMatch(/unchanged +3\n\nNothing to do\.\n$/)
    expect(await readFile(file, 'utf8')).toContain('ana@x.example')
  })
})
