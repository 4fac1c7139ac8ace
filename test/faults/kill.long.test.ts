import { test } from 'vitest'
import { killRepeatedly } from './kill-repeatedly.ts'

test(
  'a server that is killed 100 times loses no acknowledged write and applies none twice',
  {
    timeout: 2_000_000,
  },
  () => killRepeatedly(100),
)
