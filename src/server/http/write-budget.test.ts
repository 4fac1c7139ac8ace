import { expect, test } from 'vitest'
import type { ParticipantId } from '../core/ids.ts'
import { type Principal, visitor } from '../core/principal.ts'
import { WriteBudget } from './write-budget.ts'

const access = { role: 'moderator', changesOwn: true } as const

const participant = (id: number): Principal => ({ ...visitor, credential: id, participant: id as ParticipantId })

test('a sender who has used up a budget is not forgotten among thousands of others', () => {
  let now = 1_000_000
  const budget = new WriteBudget({ writesPerMinute: 1 }, () => now)
  const spend = (id: number) => () => budget.spend(access, participant(id))
  for (let id = 1; id <= 5_000; id++) spend(id)()
  for (const id of [1, 2_500, 5_000]) expect(spend(id)).toThrow('You are writing too fast')
  now += 60_000
  // By now the others are forgotten, and their budgets are whole.
  for (let id = 1; id <= 5_000; id++) spend(id)()
})
