import { type Client, createClient } from '../../src/client/client.ts'
import { type JsonOperationName, type OperationName, operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { createPersonalAddress } from '../../src/server/auth/keys.ts'
import type { Context } from '../../src/server/context.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { addParticipant } from '../../src/server/domains/participants/participants.ts'
import { commandScope } from '../../src/server/scope.ts'
import { freePort } from '../free-port.ts'

// Tests of the interface specification run a second time where `ACCESS` is `members`, below the personal address of one
// participant, in whose name they send every write: see `differences-at-personal-address.ts`.

/** Whether the tests of this process run at a personal address. */
export const isAtPersonalAddress = process.env.TEST_AT === 'personal-address'

/** The participant at the address is the first one. */
const person = 1 as ParticipantId

/** Environment variables of a server with personal addresses. Its links can be followed. */
export async function membersSettings(): Promise<Record<string, string>> {
  const port = String(await freePort())
  return { ACCESS: 'members', PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
}

/** @returns the part of the path before `/api` */
export async function issuePersonalAddress(ctx: Context): Promise<string> {
  return ctx.database.transaction(async (tx) => {
    const scope = commandScope(ctx, tx, 'test')
    const { count } = tx.fn
    const { people } = await tx.selectFrom('participant').select(count('id').as('people')).executeTakeFirstOrThrow()
    // Without a name, until a test makes a participant.
    if (Number(people) === 0) await addParticipant(scope, {})
    const { secret } = await createPersonalAddress(scope, { label: 'test', participant: person, expiresAt: 0 })
    return `/k/${secret}`
  })
}

/** The first participant that a test makes is the one at the address. @returns whether it was */
export async function becomePerson(
  { database }: Context,
  values: Parameters<typeof addParticipant>[1],
): Promise<boolean> {
  if (!isAtPersonalAddress) return false
  const { numUpdatedRows } = await database.transaction((tx) =>
    tx
      .updateTable('participant')
      .set(values)
      .where('id', '=', person)
      .where('first_name', '=', '')
      .where('last_name', '=', '')
      .executeTakeFirst(),
  )
  return Number(numUpdatedRows) > 0
}

/** Replaces the participants in whose name an operation writes. */
export function inOwnName<M extends object>(name: OperationName, members: M): M {
  const { access }: Operation = operations[name]
  if (!isAtPersonalAddress || !('actor' in access)) return members
  const actors = access.actor?.filter((actor) => actor in members && typeof members[actor as keyof M] === 'number')
  return { ...members, ...Object.fromEntries((actors ?? []).map((actor) => [actor, person])) }
}

/** @param url which may be that of an address */
export function createTestClient(url: string): Client {
  const client = createClient(url)
  if (!isAtPersonalAddress) return client
  const names = Object.keys(client).filter((name) => name !== 'call') as JsonOperationName[]
  const methods = names.map((name) => [
    name,
    // The type of a request depends on the name, which is any of all here.
    (request: never, options?: Parameters<Client['call']>[2]) => client[name](inOwnName(name, request), options),
  ])
  return {
    ...Object.fromEntries(methods),
    call: (name, request, options) => client.call(name, inOwnName(name, request), options),
  }
}
