import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { findSharedData } from '../../test/shared-data.ts'
import { initializeSummit } from '../demo/initialize.ts'
import { correct, exportRows, importFile, setCell } from './import-export.fixtures.ts'

describe('a spreadsheet of the sessions', () => {
  test('changes nothing of the sample', async () => {
    await using t = await startTestApp()
    await initializeSummit(t.ctx, 'sample')
    const { out } = await correct(t, 'sessions', (rows) => rows)
    expect(out).toMatch(/unchanged +\d\d\n[\s\S]*Nothing to do\.\n$/)
    expect(out).not.toContain('Warnings')
  })

  const path = findSharedData('data/pyconfr-2024.schedule.json')
  test.skipIf(!path)('changes nothing of a program of pretalx', async () => {
    await using t = await startTestApp()
    await runSummitInProcess(['import', 'program', path ?? '', '--apply'], t.settings)
    expect((await correct(t, 'sessions', (rows) => rows)).out).toMatch(/unchanged +\d+\n[\s\S]*Nothing to do\.\n$/)
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
    const { changes } = await correct(t, 'participants', setCell(String(id), cells), '--apply', ...options)
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
