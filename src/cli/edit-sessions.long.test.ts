import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { sanitizeHtml } from '../server/domains/program/html.ts'
import { type Cells, correct, exportRows, importFile, startWithProgram, titled } from './import-export.fixtures.ts'

const without =
  (...columns: string[]) =>
  (rows: Cells[]) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column))))

describe('a spreadsheet of the sessions', () => {
  test('leaves what its cells cannot show as it is', async () => {
    await using t = await startTestApp()
    const text = sanitizeHtml('<p>Both</p>')
    const links = JSON.stringify([
      { rel: 'video', title: '', url: 'https://a.example/' },
      { rel: 'page', title: '', url: 'https://b.example/' },
    ])
    await make.event(t, { title: 'Panel', position: 'Chair; Host', description: text, details: text, links })
    await make.event(t, { title: 'Talk', speaker: 'Ana; Ben', details: text, location_name: 'East', venue: 'Hall' })
    await make.event(t, { title: 'Q&amp;A', speaker: 'Ana', date_to: null, location_name: 'West', venue: 'hall' })
    expect((await correct(t, 'sessions', (rows) => rows)).out).toContain('Nothing to do.')
    const before = await exportRows(t, 'events')
    const edit = (rows: Cells[]) => rows.map((row) => ({ ...row, Type: 'Plenary' }))
    expect((await correct(t, 'sessions', edit, '--apply')).changes).toHaveLength(3)
    const changed = { type: 'Plenary', modified_at: expect.any(String), sequence: 1 }
    expect(await exportRows(t, 'events')).toEqual(before.map((row) => ({ ...row, ...changed })))
    expect(await exportRows(t, 'speakers')).toHaveLength(3)
  })

  test('adds another session of a title, and moves none', async () => {
    await using t = await startWithProgram()
    const again = { 'Summit ID': '', Start: '2030-05-02 17:00', End: '2030-05-02 18:00', Day: '' }
    const edit = (rows: Cells[]) => rows.filter(({ Title }) => Title === 'Closing').map((row) => ({ ...row, ...again }))
    const { changes } = await correct(t, 'sessions', edit, '--apply')
    expect(changes).toEqual(['  new        Closing (Hall, 2030-05-02 17:00)'])
  })

  test('adds a copy of a row under the same id, and says so', async () => {
    await using t = await startWithProgram()
    const copied = (rows: Cells[]) => [...rows, { ...rows[2], Title: 'Party' } as Cells]
    const { out, changes } = await correct(t, 'sessions', copied, '--apply')
    expect(out).toContain('Session “Party” has the Summit ID of another row; it counts as a new session.')
    expect(changes).toEqual(['  new        Party (Hall, 2030-05-03 17:00)'])
  })

  test('clears a value if the cell is empty, and leaves it if the column is missing', async () => {
    await using t = await startWithProgram()
    const columns = ['Abstract', 'End', 'Speakers', 'Position', 'Company', 'Room', 'Status', 'Day']
    const moved = { Start: '2030-05-02 09:30', Title: 'Welcome' }
    const { changes } = await correct(
      t,
      'sessions',
      (rows) => without(...columns)(titled("'=Opening", moved)(rows)),
      '--apply',
    )
    expect(changes).toEqual([
      '  retitled   Welcome (Hall, 2030-05-02 09:30): title “=Opening” → “Welcome”, start “2030-05-02 09:00” → “2030-05-02 09:30”, end “2030-05-02 10:00” → “2030-05-02 10:30”',
    ])
    const cleared = await correct(t, 'sessions', titled('Welcome', { Abstract: '', Position: '', Room: '' }), '--apply')
    expect(cleared.changes).toEqual([
      expect.stringContaining('room “Hall” → none, position “Chair” → none, description'),
    ])
  })

  test('has the sessions of every program, and of none, and each stays in its own', async () => {
    await using t = await startWithProgram()
    const file = join(t.dataDir, 'workshops.csv')
    await writeFile(file, 'id,title,start,speaker,position\na,Knots,2030-05-02 09:00,Ana Cruz,Sailor')
    await runSummitInProcess(['import', 'program', file, '--source', 'workshops', '--apply'], t.settings)
    const edit = (rows: Cells[]) => rows.map((row) => ({ ...row, Title: `${row.Title} 2`, Speakers: 'Ana Cruz' }))
    const { changes } = await correct(t, 'sessions', edit, '--apply')
    expect(changes).toHaveLength(4)
    expect(changes.every((line) => line.startsWith('  retitled'))).toBe(true)
    const identities = (await exportRows(t, 'events')).map(({ source, source_key, title }) => [
      source,
      source_key,
      title,
    ])
    expect(identities).toEqual([
      ['program', 'a', '=Opening 2'],
      ['program', 'b', 'Closing 2'],
      ['', '', 'Workshops 2'],
      ['', '', 'Undated'],
      ['workshops', 'a', 'Knots 2'],
    ])
    const speakers = await exportRows(t, 'speakers')
    expect(speakers.filter(({ name }) => name === 'Ana Cruz').map(({ source }) => source)).toEqual([
      ...['workshops', 'program', ''],
    ])
    expect((await importFile(t, 'sessions', join(t.dataDir, 'list.csv'))).out).toContain('Nothing to do.')
  })

  test('moves a session with its day and its schedule, and leaves a schedule of several activities', async () => {
    await using t = await startWithProgram()
    const moved = { Start: '2030-05-03 11:00', End: '2030-05-03 12:00' }
    await correct(
      t,
      'sessions',
      (rows) => titled('Workshops', { Title: 'Classes' })(titled("'=Opening", moved)(rows)),
      '--apply',
    )
    expect((await exportRows(t, 'events'))[0]).toMatchObject({ program_date: '2030-05-03', program_time: '11:00:00' })
    expect((await exportRows(t, 'activities')).map(({ date, title }) => [date, title]).sort()).toEqual([
      ['2030-05-03', '=Opening'],
      ['2030-05-03', 'Closing'],
      ['2030-05-04', 'Doors'],
      ['2030-05-04', 'Talks'],
    ])
    const night = { Start: '2030-05-04 00:30', End: '2030-05-04 01:00' }
    await correct(t, 'sessions', titled("'=Opening", night), '--apply')
    expect((await exportRows(t, 'events'))[0]).toMatchObject({ program_date: '2030-05-03', program_time: '00:30:00' })
  })

  test('cancels a session by its status, and brings it back', async () => {
    await using t = await startWithProgram()
    const cancelled = await correct(t, 'sessions', titled('Closing', { Status: 'cancelled' }), '--apply')
    expect(cancelled.changes).toEqual(['  cancelled  Closing (Hall, 2030-05-03 17:00)'])
    expect((await correct(t, 'sessions', without('Status'), '--apply')).out).toContain('Nothing to do.')
    const back = await correct(t, 'sessions', titled('Closing', { Status: '' }), '--apply')
    expect(back.changes).toEqual(['  changed    Closing (Hall, 2030-05-03 17:00): no longer cancelled'])
  })

  test('that is older than an edit or an undo says which sessions it would revert', async () => {
    await using t = await startWithProgram()
    const edit = (cells: Cells) => titled('Closing', { Title: 'Farewell', ...cells })
    // An undo gives a session its former time, too.
    for (const modified of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])
      expect((await correct(t, 'sessions', edit({ 'Summit modified': modified }))).out).toContain(
        '  sessions that were changed since the spreadsheet was written, and get its values: 1\n' +
          '  - “Farewell” (Hall, 2030-05-03 17:00)\n',
      )
    for (const cells of [{}, { 'Summit modified': '1/1/2020 0:00' }, { 'Summit modified': '' }])
      expect((await correct(t, 'sessions', edit(cells))).out).not.toContain('changed since')
  })

  test('brings the sessions into another summit, which leaves its own alone', async () => {
    await using t = await startWithProgram()
    const file = join(t.dataDir, 'sessions.csv')
    await runSummitInProcess(['export', 'sessions', '--out', file], t.settings)
    await using other = await startTestApp()
    await make.event(other, { title: 'Something else' })
    expect((await importFile(other, 'sessions', file, '--apply')).changes).toHaveLength(3)
    const rows = await exportRows(other, 'events')
    expect(rows.map(({ title }) => title)).toEqual(['Something else', '=Opening', 'Workshops', 'Closing'])
    expect(rows[1]?.guid).toBe((await exportRows(t, 'events'))[0]?.guid)
    expect((await importFile(other, 'sessions', file)).out).toContain('Nothing to do.')
  })

  test.each(['events', 'activities'])('is not mistaken for the list %s, which is refused', async (list) => {
    await using t = await startWithProgram()
    for (const format of ['csv', 'json']) {
      const file = join(t.dataDir, `${list}.${format}`)
      await runSummitInProcess(['export', list, '--format', format, '--out', file], t.settings)
      const { code, out } = await importFile(t, 'sessions', file, '--apply')
      expect([code, out]).toEqual([1, expect.stringContaining('export sessions --out sessions.csv')])
    }
  })
})

describe('any other spreadsheet', () => {
  const importRows = async (t: Awaited<ReturnType<typeof startTestApp>>, rows: string[], ...options: string[]) => {
    const file = join(t.dataDir, 'other.csv')
    await writeFile(file, rows.join('\n'))
    const { out, err } = await runSummitInProcess(['import', 'program', file, ...options, '--apply'], t.settings)
    return out + err
  }

  test.each([[[]], [['--partial']]])('does not clear what it has no column for (%j)', async (options) => {
    await using t = await startWithProgram()
    const before = (await exportRows(t, 'events'))[0]
    const rows = ['id,title,start', 'a,=Opening,2030-05-02 09:00', 'b,Closing,2030-05-03 16:00']
    const out = await importRows(t, rows, ...options)
    expect(out).toContain(
      '  moved      Closing (Hall, 2030-05-03 16:00): start “2030-05-03 17:00” → “2030-05-03 16:00”, end “2030-05-03 18:00” → “2030-05-03 17:00”\n',
    )
    expect((await exportRows(t, 'events'))[0]).toEqual(before)
  })

  test('keeps links of which it has no column, and loses those that are not in a column that it has', async () => {
    await using t = await startTestApp()
    const row = 'a,Talk,2030-05-02 09:00'
    const columns = 'id,title,start,url,recording url,stream url'
    await importRows(t, [columns, `${row},https://a.example/,https://b.example/,https://c.example/`])
    await importRows(t, ['id,title,start,url,stream url', `${row},https://d.example/,`])
    expect(JSON.parse(String((await exportRows(t, 'events'))[0]?.links))).toEqual([
      { rel: 'page', title: '', url: 'https://d.example/' },
      { rel: 'recording', title: '', url: 'https://b.example/' },
    ])
  })

  test('with some sessions cancels no others, which it would without --partial', async () => {
    await using t = await startWithProgram()
    const rows = ['title,start,room', 'Closing,2030-05-03 17:00,Garden', '=Opening,2030-05-04 09:00,Hall']
    const out = await importRows(t, rows, '--partial')
    expect(out).toContain('  stored sessions that are not in the file, and stay: 3\n')
    expect(out).toMatch(/\n {2}new +1\n {2}moved +1\n {2}retitled +0\n {2}changed +0\n {2}cancelled +0\n/)
    expect(await importRows(t, rows)).toContain('  cancelled  =Opening (Hall, 2030-05-02 09:00)')
  })
})
