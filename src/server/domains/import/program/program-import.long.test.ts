import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import { hasRealProgram, parseRealProgram } from '../formats/programs.fixtures.ts'
import type { SourceSession } from '../source.ts'
import { expectCompleteImport, expectRepeatsUnchanged, importSessions } from './program-import.fixtures.ts'

test('after each of 80 random edits, importing the same file again changes nothing', () =>
  expectRepeatsUnchanged({ numRuns: 80 }))

const files = ['39c3.schedule.xml', 'pyconfr-2024.schedule.json', 'scottish-summit.sessionize.json']

describe.each(files)('the real program %s', (file) => {
  test.skipIf(!hasRealProgram(file))('is imported completely, and unchanged the second time', () =>
    expectCompleteImport(parseRealProgram(file)),
  )
})

describe.skipIf(!hasRealProgram('39c3.schedule.xml'))('a real program with sessions after midnight', () => {
  const days = { onlyDays: true, replace: false }
  const program = { onlyDays: false, replace: false }

  test.each([
    ['with ids and days', (session: SourceSession) => session],
    [
      'with start times only',
      (session: SourceSession) => ({ ...session, key: '', day: session.startsAt.slice(0, 10) }),
    ],
  ])('%s is complete after an import of each day, also a second one', async (_, change) => {
    await using t = await startTestApp()
    const { sessions } = parseRealProgram('39c3.schedule.xml')
    const files = [...Map.groupBy(sessions, ({ day }) => day).values()].map((file) => file.map(change))
    for (const file of [...files, ...files]) await importSessions(t, 'program', file, days)
    const plan = await importSessions(t, 'program', files.flat(), program)
    expect(new Set(plan.map((planned) => planned.change))).toEqual(new Set(['unchanged']))
    for (const file of files)
      await expect(importSessions(t, 'program', file, program)).rejects.toThrow('add --only-days')
  })

  test('is imported from its other format without a question', async () => {
    await using t = await startTestApp()
    for (const file of ['39c3.schedule.xml', '39c3.schedule.json', '39c3.schedule.xml'])
      await importSessions(t, 'program', parseRealProgram(file).sessions, program)
    expect((await t.client.listEvents({ offset: 0, limit: 1000 })).events).toHaveLength(895)
  })
})
