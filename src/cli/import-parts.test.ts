import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { columns, day1, day2, importRows, numbered, offered, program, seen, starts } from './import-parts.fixtures.ts'

// A file that is only a part of the program, such as that of one day, does not cancel the rest.

describe.each([
  ['without ids', day1, day2],
  ['with row numbers as ids', numbered(day1), numbered(day2)],
])('files for each day %s', (_, first, second) => {
  test('nothing happens until the organizer says what the second file is', async () => {
    await using t = await startTestApp()
    await importRows(t, 'day1.csv', first, '--apply')
    for (const options of [[], ['--apply']]) {
      const { code, out, err } = await importRows(t, 'day2.csv', second, ...options)
      expect(out).toMatch(
        /^day2\.csv: CSV, usable sessions: 8\n {2}This file may be only a part of the program, .*\n {2}- no sessions on Wednesday 1 May 2030 \(stored: 12\)\n/,
      )
      expect(offered(out)).toEqual([expect.stringMatching(/ --only-days$/), expect.stringMatching(/ --replace$/)])
      expect([code, err]).toEqual([1, expect.stringMatching(/^Nothing was changed\. .*--source NAME.* --replace\.\n$/)])
    }
    expect(await seen(t)).toEqual(starts(first.map((row) => row.replace(/^\d+,/, ''))).toSorted())
  })
})

test('parties after midnight belong to the file of the day before, where no file names the day', async () => {
  await using t = await startTestApp()
  const first = [...day1, 'Party,2030-05-02 01:00,Bar,']
  const second = [columns, 'Sunrise run,2030-05-02 04:30,Park,', ...day2.slice(1), 'Party,2030-05-03 01:00,Bar,']
  for (const file of [first, second, first, second]) {
    expect(await importRows(t, 'day.csv', file, '--only-days', '--apply')).toMatchObject({ code: 0 })
    expect(await seen(t)).not.toContainEqual(expect.stringContaining('Cancelled'))
  }
  expect(await seen(t)).toEqual([...starts(first), ...starts(second)].toSorted())
  expect((await importRows(t, 'all.csv', [...first, ...second.slice(1)])).out).toContain('Nothing to do.')
})

describe('a file that lacks sessions of a day that it has', () => {
  test.each([
    ['four of twenty', 20, 4, 0],
    ['five of twenty-five', 25, 5, 1],
    ['five of twenty-six', 26, 5, 0],
    ['one of five', 5, 1, 0],
  ])('%s: exit code %i', async (_, count, missing, code) => {
    await using t = await startTestApp()
    await importRows(t, 'a.csv', program(count), '--apply')
    const planned = await importRows(t, 'b.csv', program(count).slice(0, -missing))
    expect(planned.code).toBe(code)
    if (code === 0) return expect(planned.out).not.toContain('only a part')
    expect(planned.out).toContain(`\n  - stored sessions that would be cancelled: ${missing} of ${count}\n`)
    expect(offered(planned.out)).toEqual([expect.stringMatching(/ --replace$/)])
  })
})
