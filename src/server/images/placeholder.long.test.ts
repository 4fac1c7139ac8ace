import { test } from 'vitest'
import { expectAnyTitleIsDrawn, expectReadable } from './placeholder.fixtures.ts'

test('the banners of twelve consecutive events have a contrast of at least 4.5:1 for white text', async () => {
  for (let id = 0; id < 12; id++) await expectReadable(id)
})

test('forty random titles are drawn', () => expectAnyTitleIsDrawn({ numRuns: 40 }))
