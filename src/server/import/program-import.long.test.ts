import { describe, test } from 'vitest'
import { hasRealProgram, parseRealProgram } from './formats/programs.fixtures.ts'
import { expectCompleteImport, expectRepeatsUnchanged } from './program-import.fixtures.ts'

test('after each of 200 random edits, importing the same file again changes nothing', () =>
  expectRepeatsUnchanged({ numRuns: 200 }))

const files = ['39c3.schedule.xml', 'pyconfr-2024.schedule.json', 'scottish-summit.sessionize.json']

describe.each(files)('the real program %s', (file) => {
  test.skipIf(!hasRealProgram(file))('is imported completely, and unchanged the second time', () =>
    expectCompleteImport(parseRealProgram(file)),
  )
})
