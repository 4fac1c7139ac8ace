import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { columns, day1, day2, importRows, numbered, offered, program, seen, starts } from './import-parts.fixtures.ts'

const bothDays = [...starts(day1), ...starts(day2)].toSorted()

describe.each([
  ['without ids', day1, day2],
  ['with row numbers as ids', numbered(day1), numbered(day2)],
])('files for each day %s', (_, first, second) => {
  test('with --only-days each file changes its own day, in any order, and can be undone', async () => {
    for (const files of [
      [first, second],
      [second, first],
    ]) {
      await using t = await startTestApp()
      for (const [n, file] of files.entries()) {
        const { code, out, err } = await importRows(t, `${n}.csv`, file, '--only-days', '--apply')
        expect([code, err]).toEqual([0, ''])
        if (n === 1) expect(out).toMatch(/^ {2}sessions of other days, which are left alone: (?:12|8)$/m)
      }
      expect(await seen(t)).toEqual(bothDays)
      for (const file of files)
        expect((await importRows(t, 'again.csv', file, '--only-days', '--apply')).out).toContain('Nothing to do.')
      const before = await seen(t)
      const corrected = second.filter((row) => !row.includes('Workshop 0')).map((row) => row.replace('17:00', '17:30'))
      const { out } = await importRows(t, 'corrected.csv', corrected, '--only-days', '--apply')
      expect(out).toMatch(/^ {2}moved +1$/m)
      expect(out).toMatch(/^ {2}cancelled +1$/m)
      await runSummitInProcess(['import', 'undo', '3', '--apply'], t.settings)
      expect(await seen(t)).toEqual(before)
      await runSummitInProcess(['import', 'undo', '1', '--apply'], t.settings)
      const [undone, remaining] = [files[0] ?? [], files[1] ?? []]
      expect(await seen(t)).toEqual(starts(remaining.map((row) => row.replace(/^\d+,/, ''))).toSorted())
      for (const file of [remaining, undone])
        expect(await importRows(t, 'again.csv', file, '--only-days', '--apply')).toMatchObject({ code: 0 })
      expect(await seen(t)).toEqual(bothDays)
    }
  })

  test('with --replace the second file is the whole program, and the undo restores the first', async () => {
    await using t = await startTestApp()
    await importRows(t, 'day1.csv', first, '--apply')
    const before = await t.client.listEvents({ offset: 0, limit: 1000 })
    expect(await importRows(t, 'day2.csv', second, '--replace', '--apply')).toMatchObject({ code: 0, err: '' })
    expect(await seen(t)).toEqual(expect.arrayContaining(starts(second.map((row) => row.replace(/^\d+,/, '')))))
    await runSummitInProcess(['import', 'undo', '2', '--apply'], t.settings)
    expect(await t.client.listEvents({ offset: 0, limit: 1000 })).toEqual(before)
  })
})

test('a party after midnight gets another title by its id', async () => {
  await using t = await startTestApp()
  const first = numbered([...day1, 'Party,2030-05-02 01:00,Bar,'])
  await importRows(t, 'day1.csv', first, '--apply')
  await importRows(t, 'day2.csv', numbered(day2), '--only-days', '--apply')
  const retitled = first.map((row) => row.replace('Party', 'Big night'))
  const { out } = await importRows(t, 'day1.csv', retitled, '--only-days', '--apply')
  expect(out).toMatch(/^ {2}retitled +Big night /m)
  expect(await seen(t)).toHaveLength(21)
})

test('a session whose id another day has is new, and the plan says so', async () => {
  await using t = await startTestApp()
  await importRows(t, 'day1.csv', numbered(day1), '--apply')
  const { out } = await importRows(t, 'day2.csv', numbered(day2), '--only-days')
  expect(out).toContain(
    '\n  sessions with the id of a session of another day: 8, the first “Workshop 0” (1). They are taken for other ' +
      'sessions. If any was moved here, import the whole program instead.\n',
  )
})

test('with --partial a file for a day is added, unless its ids are those of sessions of another day', async () => {
  await using t = await startTestApp()
  await importRows(t, 'day1.csv', numbered(day1), '--apply')
  const refused = await importRows(t, 'day2.csv', numbered(day2), '--partial', '--apply')
  expect([refused.code, offered(refused.out)]).toEqual([1, [expect.stringMatching(/ --partial --replace$/)]])
  expect((await importRows(t, 'day2.csv', day2, '--partial', '--apply')).out).toContain('Done.')
  expect(await seen(t)).toEqual(bothDays)
})

test('the offered commands work as they are', async () => {
  await using t = await startTestApp()
  const options = ['--source', 'main program', '--dates', 'day-first']
  const settings = { ...t.settings, PORT: '0' }
  const run = async (...args: string[]) => runSummitInProcess(['--data-dir', t.dataDir, ...args], settings)
  const file = join(t.dataDir, "Ana's day.csv")
  await writeFile(file, day1.join('\n'))
  expect(await run('import', 'program', file, '--apply', ...options)).toMatchObject({ code: 0 })
  await writeFile(file, day2.join('\n'))
  const { code, out } = await run('import', 'program', file, '--apply', ...options)
  expect(code).toBe(1)
  const commands = out.match(/(?<=^ {6}npm run summit -- ).*$/gm)
  const quoted = `'${file.replace("'", "'\\''")}'`
  expect(commands).toEqual(
    ['--only-days', '--replace'].map(
      (option) =>
        `--data-dir ${t.dataDir} import program ${quoted} --source 'main program' --dates day-first ${option}`,
    ),
  )
})

describe('a file that lacks sessions of a day that it has', () => {
  test('because it is that of a room, is not taken for that of the day either', async () => {
    await using t = await startTestApp()
    await importRows(t, 'all.csv', [...program(20), 'l,Lunch,2030-05-02 12:00,Foyer,'], '--apply')
    const room = program(20).filter((row) => !row.includes('Hall 1'))
    expect(offered((await importRows(t, 'room.csv', room)).out)).toHaveLength(2)
    const ofDay = await importRows(t, 'room.csv', room, '--only-days', '--apply')
    expect(ofDay.code).toBe(1)
    expect(offered(ofDay.out)).toEqual([expect.stringMatching(/ --only-days --replace$/)])
    expect(await seen(t)).toHaveLength(21)
    expect((await importRows(t, 'room.csv', room, '--only-days', '--replace', '--apply')).out).toMatch(
      /^ {2}cancelled +10$/m,
    )
    expect(await seen(t)).toContain('Lunch 05-02 12:00')
  })

  test('may mark them as cancelled instead', async () => {
    await using t = await startTestApp()
    await importRows(t, 'a.csv', program(10), '--apply')
    const [header, ...rows] = program(10)
    const off = [`${header},status`, ...rows.map((row) => `${row},cancelled`)]
    expect(await importRows(t, 'b.csv', off, '--apply')).toMatchObject({ code: 0 })
  })
})

test('another conference with a lunch at the same time does not replace the program', async () => {
  await using t = await startTestApp()
  const lunch = ',Lunch,2030-05-01 12:00,Foyer,'
  await importRows(t, 'a.csv', [...program(9), lunch], '--apply')
  const [header, ...rows] = program(9, 'Boat')
  const others = [header ?? '', ...rows.map((row) => row.replace(/^i/, 'b').replace('Speaker', 'Sailor')), lunch]
  const { code, out } = await importRows(t, 'b.csv', others, '--apply')
  expect(code).toBe(1)
  expect(out).toContain('\n  - stored sessions that would be cancelled: 9 of 10\n')
  expect(await importRows(t, 'b.csv', others, '--source', 'boats', '--apply')).toMatchObject({ code: 0 })
  expect(await seen(t)).toHaveLength(20)
})

test('a file that numbers its sessions anew does not rename them all', async () => {
  await using t = await startTestApp()
  const [header = '', ...rows] = program(10)
  await importRows(t, 'a.csv', [header, ...rows], '--apply')
  const shifted = [header, ...rows.map((row, n) => row.replace(/^\w+/, `i${(n + 1) % 10}`))]
  const { code, out } = await importRows(t, 'b.csv', shifted, '--apply')
  expect(code).toBe(1)
  expect(out).toContain('\n  - stored sessions whose ids the file has with other titles, at other times: 10 of 10\n')
  const [columnsWithoutId, ...withoutIds] = shifted.map((row) => row.replace(/^\w+,/, ''))
  expect((await importRows(t, 'c.csv', [columnsWithoutId ?? '', ...withoutIds])).out).toContain('Nothing to do.')
})

test('sessions that an id finds may all be on other days', async () => {
  await using t = await startTestApp()
  await importRows(t, 'a.csv', program(10), '--apply')
  const postponed = program(10).map((row) => row.replace('2030-05-01', '2030-06-01'))
  const { code, out } = await importRows(t, 'b.csv', postponed, '--apply')
  expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}moved +10$/m)])
})

test('a day that was cancelled does not count any more', async () => {
  await using t = await startTestApp()
  await importRows(t, 'day1.csv', day1, '--apply')
  await importRows(t, 'day2.csv', day2, '--replace', '--apply')
  expect(await importRows(t, 'day2.csv', day2.slice(0, -1), '--apply')).toMatchObject({ code: 0 })
})

test('a file without sessions, and one with a weekday and no first day, changes nothing whatever is asked for', async () => {
  await using t = await startTestApp()
  await importRows(t, 'day1.csv', day1, '--apply')
  for (const [row, reason] of [
    ['', 'contains no sessions'],
    ['Closing,Thursday 09:00,,', 'add --first-day'],
    ['Closing,,,', 'has no date'],
  ] as const)
    for (const option of ['--only-days', '--replace'])
      expect(await importRows(t, 'empty.csv', [columns, row], option, '--apply')).toMatchObject({
        code: 1,
        out: expect.stringContaining(reason),
        err: 'Nothing was imported: the file has no usable sessions.\n',
      })
  expect(await seen(t)).toEqual(starts(day1).toSorted())
})
