import { expect, test } from 'vitest'
import { roles } from '../../../contract/access.ts'
import { operationsIn } from '../../../contract/index.ts'
import { failuresOf } from '../../../contract/openapi.ts'
import { assertMayUse } from '../../auth/policies.ts'
import { Failure } from '../../core/failure.ts'
import type { OrganizerId, ParticipantId } from '../../core/ids.ts'
import { type Principal, visitor } from '../../core/principal.ts'
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

/** Anyone who sends a request with a session, a key or the secret URL of an app. */
const senders: Principal[] = [
  { ...participant(1), audience: 'participant', kind: 'session' },
  { ...participant(1), audience: 'participant', kind: 'bearer' },
  { ...visitor, audience: 'participant', kind: 'app', credential: 2, app: 'change' },
  { ...visitor, audience: 'organizer', kind: 'session', credential: 3, organizer: 1 as OrganizerId, roles },
]

test.each(operationsIn('members').filter(([, { method }]) => method !== 'GET'))(
  'the document says whether %s can be refused for its rate',
  (_, operation) => {
    const mayBeRefused = senders.some((sender) => {
      const budget = new WriteBudget({ writesPerMinute: 1 }, () => 0)
      try {
        assertMayUse(operation, sender, 'members')
        for (let n = 0; n < 100; n++) budget.spend(operation.access, sender)
        return false
      } catch (error) {
        return error instanceof Failure && error.reason === 'TOO_MANY_WRITES'
      }
    })
    expect(failuresOf(operation, 'members').includes('TOO_MANY_WRITES')).toBe(mayBeRefused)
  },
)
