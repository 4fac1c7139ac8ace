import { test } from 'vitest'
import { killRepeatedly } from './kill-repeatedly.ts'

test('a server that is killed loses no acknowledged write and applies none twice', { timeout: 100_000 }, () =>
  killRepeatedly(1),
)
