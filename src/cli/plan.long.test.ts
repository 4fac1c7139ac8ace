import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { header, importLines, linesLike, talks } from './plan.fixtures.ts'

test('dates of a single day that can be read in two ways are read by the days of the stored program', async () => {
  await using t = await startTestApp()
  const stored = ['id,title,start', 'a,Opening,2024-12-01 09:00', 'b,Closing,2024-12-03 17:00']
  await importLines(t, stored, '--apply')
  const corrected = ['id,title,date,start', 'a,Opening,12/1/24,9:00', 'c,Party,12/1/24,20:00']
  const plan = await importLines(t, corrected)
  expect(plan).toContain(
    '  Dates such as “12/1/24” are read month first (Sunday 1 December 2024), because the file and the stored program ' +
      'together then span 3 days instead of 327 days. If that is wrong, add --dates day-first.\n',
  )
  expect(plan).toContain('  new        Party (2024-12-01 20:00)\n')
  expect(await importLines(t, corrected, '--source', 'fringe')).toContain(
    'read day first (Friday 12 January 2024), but nothing in the file says so.',
  )
  expect(await importLines(t, corrected, '--dates', 'day-first')).toContain('as --dates says.')
})

test('skipped rows come first, twenty of a kind with their line and text, and other similar warnings are one line', async () => {
  await using t = await startTestApp()
  const bad = Array.from({ length: 1257 }, (_, n) => `b${n},Break ${n},noonish,Foyer,`)
  const odd = ['o1,Dinner,2030-05-02 19:00,Foyer,soon', 'o2,Breakfast,evening,Foyer,']
  const out = await importLines(t, [`${header},duration,mood`, ...odd, ...bad, 'z,Late,2030-05-02 23:00,Bar,5,good'])
  const breaks = Array.from(
    { length: 19 },
    (_, n) => `  line ${n + 4}: Session “Break ${n}” starts at “noonish”, which`,
  )
  expect(linesLike(out, /^ {2}line \d+: Session “Break \d/).map((line) => line.split(' is not')[0])).toEqual(breaks)
  expect(out).toContain(
    '\nWarnings (1,259):\n  line 3: Session “Breakfast” starts at “evening”, which is not a valid date or time; skipped.\n',
  )
  expect(out).toContain(
    '  1,238 rows: Session “…” starts at “noonish”, which is not a valid date or time; skipped, first line 23 (--all lists them)\n' +
      '  line 2: Session “Dinner” has an invalid duration, “soon”; its end was set to its start.\n\n' +
      'Not imported, and how often it is in the file: “mood” 1\n',
  )
  expect(await importLines(t, [header, ...bad.slice(0, 21), ...talks(1, 'Hall')])).toContain(
    '  1 row: Session “Break 20” starts at “noonish”, which is not a valid date or time; skipped, first line 22 (--all lists them)\n',
  )
  const soon = talks(4, 'Hall').map((row) => `${row},soon`)
  expect(await importLines(t, [`${header},duration`, ...soon])).toContain(
    '  4 rows: Session “…” has an invalid duration, “soon”; its end was set to its start, first line 2\n',
  )
  expect(linesLike(await importLines(t, [header, ...bad, ...talks(1, 'Hall')], '--all'), /noonish/)).toHaveLength(1257)
})

test('the plan ends with what is not imported, twelve names with their counts, or with --all each on a line', async () => {
  await using t = await startTestApp()
  const extra = Array.from({ length: 14 }, (_, n) => `Extra ${n}`)
  const rows = talks(3, 'Hall').map((row, n) => [row, ...extra.map((_, at) => (at > n ? 'x' : '')), 'Other'].join(','))
  const lines = [[header, ...extra, 'Session'].join(','), ...rows]
  const shown = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((at) => `“Extra ${at}” 3`)
  expect(await importLines(t, lines)).toContain(
    '\n\nNot imported, and how often it is in the file: “Session” 3 (“title” is used instead), ' +
      `${shown.join(', ')}, … and 2 more (--all lists them)\n\nNothing was changed.`,
  )
  expect(await importLines(t, lines, '--all')).toContain(
    'in the file:\n  “Session” 3 (“title” is used instead)\n' +
      `${[...shown, '“Extra 2” 2', '“Extra 1” 1'].map((name) => `  ${name}\n`).join('')}\nNothing was changed.`,
  )
})

test('the plan says that the sessions are already in a program of another name', async () => {
  await using t = await startTestApp()
  await importLines(t, [header, ...talks(4, 'Hall')], '--source', 'talks 2030', '--apply')
  const renumbered = talks(4, 'Hall').map((row, n) => (n < 3 ? `new${row}` : `other${row.replace('Talk', 'Party')}`))
  expect(await importLines(t, [header, ...renumbered])).toContain(
    '\n  New sessions that the program “talks 2030” already has, and that would be listed twice: 3 of 4. To update that ' +
      'program, use --source "talks 2030".\n',
  )
  expect(await importLines(t, [header, ...renumbered.slice(3), 'y,Other,2031-01-01 09:00,'])).not.toContain(
    'talks 2030',
  )
})

test('the plan lists sessions of the file that overlap in one room or with one speaker, also with those of other files', async () => {
  await using t = await startTestApp()
  const stored = ['id,title,start,end,room', 'w,Workshop,2030-05-02 09:00,2030-05-02 12:00,Garden']
  await importLines(t, stored, '--source', 'workshops', '--apply')
  const lines = [
    'id,title,start,end,room,speakers',
    'a,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall,Ana Cruz',
    'b,Boats,2030-05-02 09:30,2030-05-02 10:30,Hall,Ben Okafor',
    'c,Trees,2030-05-02 10:00,2030-05-02 11:00,Garden,Ben Okafor',
  ]
  expect(linesLike(await importLines(t, lines), /overlap|^ +- /)).toEqual([
    '  sessions that overlap in one room or with one speaker: 3',
    '  - room “Hall”: “Opening” (2030-05-02 09:00 to 10:00) and “Boats” (2030-05-02 09:30 to 10:30)',
    '  - room “Garden”: “Workshop” (2030-05-02 09:00 to 12:00) and “Trees” (2030-05-02 10:00 to 11:00)',
    '  - speaker “Ben Okafor”: “Boats” (2030-05-02 09:30 to 10:30) and “Trees” (2030-05-02 10:00 to 11:00)',
  ])
  const later = lines.map((line) =>
    line.replace('2030-05-02 09:30,2030-05-02 10:30', '2030-05-02 12:00,2030-05-02 13:00'),
  )
  expect(linesLike(await importLines(t, later), /^ +- /)).toHaveLength(1)
})

test('the plan counts new rooms and speakers, and lists ten overlaps; with --all, it names each of them', async () => {
  await using t = await startTestApp()
  const rows = Array.from({ length: 12 }, (_, n) => [
    `${n},Talk ${n},2030-05-02 09:00,2030-05-02 10:00,Room ${n},Speaker ${n}`,
    `x${n},Workshop ${n},2030-05-02 09:00,2030-05-02 10:00,Room ${n},`,
  ])
  const lines = ['id,title,start,end,room,speakers', ...rows.flat()]
  const named = (noun: string) => rows.map((_, n) => `  - ${noun} ${n}`)
  const partLines = /^ {2}(?:new (?:rooms|speakers):|- )/
  const short = linesLike(await importLines(t, lines), partLines)
  expect(short.filter((line) => !line.includes('“'))).toEqual([
    '  new rooms: 12',
    '  new speakers: 12',
    '  - … and 2 more (--all lists them)',
  ])
  const full = linesLike(await importLines(t, lines, '--all'), partLines)
  expect(full.filter((line) => !line.includes('“'))).toEqual(
    ['  new rooms: 12', named('Room'), '  new speakers: 12', named('Speaker')].flat(),
  )
  expect([short, full].map((plan) => plan.filter((line) => line.includes('“')).length)).toEqual([10, 12])
})

test('the plan lists ten changed speakers; with --all, each of them', async () => {
  await using t = await startTestApp()
  const lines = Array.from({ length: 12 }, (_, n) => `${n},Talk ${n},2030-05-02 09:00,,Speaker ${n}`)
  const columns = 'id,title,start,room,speaker'
  await importLines(t, [columns, ...lines], '--apply')
  const promoted = [`${columns},position`, ...lines.map((line) => `${line},Chair`)]
  const changed = (out: string) => linesLike(out, /^ {2}(?:speaker “|… and \d+ more rooms)/)
  const all = lines.map((_, n) => `  speaker “Speaker ${n}”: position none → “Chair”`)
  expect(changed(await importLines(t, promoted, '--all'))).toEqual(all)
  expect(changed(await importLines(t, promoted))).toEqual([
    ...all.slice(0, 10),
    '  … and 2 more rooms, tracks or speakers changed (--all lists them)',
  ])
})

test('the plan says that a file does not change the conference while sessions of another program take place', async () => {
  await using t = await startTestApp()
  const importWorkshops = async (source: string, ...options: string[]) => {
    const file = join(t.dataDir, 'workshops.json')
    const talk = {
      guid: '3f0e8b3e-5d8c-4f5e-9a52-0b1f2d3c4e5f',
      title: 'Knots',
      date: '2030-05-02T11:00:00+02:00',
      duration: '01:00',
    }
    const conference = { title: 'Workshops', days: [{ date: '2030-05-02', rooms: { Garden: [{ id: 1, ...talk }] } }] }
    await writeFile(file, JSON.stringify({ schedule: { version: '1', conference } }))
    return (await runSummitInProcess(['import', 'program', file, '--source', source, ...options], t.settings)).out
  }
  expect(await importWorkshops('program')).toContain('\n  conference: title none → “Workshops”')
  await importLines(t, [header, ...talks(2, 'Hall')], '--apply')
  const out = await importWorkshops('workshops', '--apply')
  expect(out).toContain(
    '\n  conference: stays as it is, since it has sessions of other programs; in this file: title none → “Workshops”',
  )
  expect(await importWorkshops('workshops')).toContain('Nothing to do.')
})
