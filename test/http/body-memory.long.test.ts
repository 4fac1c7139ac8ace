import { test } from 'vitest'
import { expectUnfinishedBodiesRefused, textPart } from './unfinished-bodies.ts'

test('forms that are never finished do not fill the memory, and small bodies are accepted', () =>
  expectUnfinishedBodiesRefused(textPart))
