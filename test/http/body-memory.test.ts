import { test } from 'vitest'
import { expectUnfinishedBodiesRefused, json } from './unfinished-bodies.ts'

// Forms, which take as long: see `body-memory.long.test.ts`.
test('JSON bodies that are never finished do not fill the memory, and small ones are accepted', () =>
  expectUnfinishedBodiesRefused(json))
