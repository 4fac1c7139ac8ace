import { test } from 'vitest'
import { expectFewRequests } from './budgets.fixtures.ts'

test.each(['open', 'members'] as const)(
  'in the mode %s every page needs few requests, all of them of this site',
  (mode) => expectFewRequests(mode),
)
