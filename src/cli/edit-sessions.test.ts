import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSummitInProcess } from '../../test/command.ts'
import { type Cells, correct, exportRows, importFile, startWithProgram, titled } from './import-export.fixtures.ts'

// An organizer takes the sessions as a spreadsheet, edits it, and imports it again.

describe('a spreadsheet of the sessions', () => {
  test('changes nothing when it is imported unchanged', async () => {
    await using t = await startWithProgram()
    const { out } = await correct(t, 'sessions', (rows) => rows, '--apply')
    expect(out).toMatch(/CSV, usable sessions: 3\n[\s\S]*unchanged +3\n\nNothing to do\.\n$/)
    expect(out).toContain('  stored sessions that are not in the file, and stay: 1\n')
    expect(out).not.toMatch(/Warnings|without an id/)
  })

  test('changes what was edited, and nothing else', async () => {
    await using t = await startWithProgram()
    const before = await exportRows(t, 'events')
    const { changes } = await correct(t, 'sessions', titled('Closing', { Room: 'Garden' }), '--apply')
    expect(changes).toEqual(['  moved      Closing (Garden, 2030-05-03 17:00): room “Hall” → “Garden”'])
    const changed = { location_name: 'Garden', room_id: expect.any(Number), modified_at: expect.any(String) }
    const withSecond = (values: object) => before.map((row, index) => (index === 1 ? { ...row, ...values } : row))
    expect(await exportRows(t, 'events')).toEqual(withSecond({ ...changed, sequence: 1 }))
    await runSummitInProcess(['import', 'undo', '2', '--apply'], t.settings)
    expect(await exportRows(t, 'events')).toEqual(withSecond({ sequence: 2 }))
  })

  test('cancels no session that is not in it, and adds a row that is new once', async () => {
    await using t = await startWithProgram()
    const party = { 'Summit ID': '', Title: 'Party', Start: '2030-05-03 20:00', End: '', Speakers: '' }
    const edit = (rows: Cells[]) => [...rows.slice(0, 1), { ...rows[2], ...party } as Cells]
    const { out, changes } = await correct(t, 'sessions', edit, '--apply')
    expect(out).toContain('  stored sessions that are not in the file, and stay: 3\n')
    expect(changes).toEqual(['  new        Party (Hall, 2030-05-03 20:00)'])
    expect((await importFile(t, 'sessions', join(t.dataDir, 'list.csv'))).out).toContain('Nothing to do.')
  })

  test('may move all sessions of a day, under other titles', async () => {
    await using t = await startWithProgram()
    const moved = { Title: 'Farewell', Start: '2030-05-02 17:00', End: '2030-05-02 18:00' }
    const { changes } = await correct(t, 'sessions', titled('Closing', moved), '--apply')
    expect(changes).toEqual([expect.stringMatching(/^ {2}retitled {3}Farewell \(Hall, 2030-05-02 17:00\)/)])
  })
})
