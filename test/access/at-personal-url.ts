import { type Client, createClient } from '../../src/client/client.ts'
import { type JsonOperationName, type OperationName, operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { createPersonalUrl } from '../../src/server/auth/keys.ts'
import type { Context } from '../../src/server/context.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { addParticipant } from '../../src/server/domains/participants/participants.ts'
import { commandScope } from '../../src/server/scope.ts'
import { freePort } from '../free-port.ts'

// Tests of the interface specification run a second time where `ACCESS` is `members`, below the personal URL of one
// participant, in whose name they send every write: see `differences-at-personal-url.ts`.

/** Whether the tests of this process run at a personal URL. */
export const isAtPersonalUrl = process.env.TEST_AT === 'personal-url'

/** The participant at the URL is the first one. */
const person = 1 as ParticipantId

/** Environment variables of a server with personal URLs. Its links can be followed. */
export async function membersSettings(): Promise<Record<string, string>> {
  const port = String(await freePort())
  return { ACCESS: 'members', PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
}

/** @returns the part of the path before `/api` */
export async function issuePersonalUrl(ctx: Context): Promise<string> {
  return ctx.database.transaction(async (tx) => {
    const scope = commandScope(ctx, tx, 'test')
    const { count } = tx.fn
    const { people } = await tx.selectFrom('participant').select(count('id').as('people')).executeTakeFirstOrThrow()
    // Without a name, until a test makes a participant.
    if (Number(people) === 0) await addParticipant(scope, {})
    const { secret } = await createPersonalUrl(scope, { label: 'test', participant: person, expiresAt: 0 })
    return `/k/${secret}`
  })
}

/** The first participant that a test makes is the one at the URL. @returns whether it was */
export async function becomePerson(
  { database }: Context,
  values: Parameters<typeof addParticipant>[1],
): Promise<boolean> {
  if (!isAtPersonalUrl) return false
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
  if (!isAtPersonalUrl || !('actor' in access)) return members
  const actors = access.actor?.filter((actor) => actor in members && typeof members[actor as keyof M] === 'number')
  return { ...members, ...Object.fromEntries((actors ?? []).map((actor) => [actor, person])) }
}

/** @param url which may be a personal one */
export function createTestClient(url: string): Client {
  const client = createClient(url)
  if (!isAtPersonalUrl) return client
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
