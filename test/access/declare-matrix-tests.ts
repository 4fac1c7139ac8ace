import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccessMode, type Role, roles, type WriteAccess } from '../../src/contract/access.ts'
import type { OperationName, SpecifiedOperationName, SpecifiedWriteName } from '../../src/contract/index.ts'
import type { RecordKind } from '../../src/contract/operation.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import type { TestApp } from '../app.ts'
import { storeLogo, storePhoto } from '../contract/example-app.ts'
import {
  additionalNamesIn,
  type Example,
  examples,
  kindOf,
  type Members,
  operationOf,
  reads,
  type SpecifiedExample,
  schemasOf,
  success,
  writes,
} from '../contract/examples.ts'
import { requestFor, requestOf, send, type TestRequest, type TestResponse } from '../contract/requests.ts'
import * as make from '../make.ts'
import { type AppWithKeys, type KeyHolder, startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from './sessions.ts'

// Who may do what: every operation of the contract, by everyone, on the records of everyone. What is expected follows
// from the `access` of each operation.

const unauthenticated = 'UNAUTHENTICATED'
const forbidden = 'FORBIDDEN'

/** A visitor has no credential. */
type Sender =
  | (Pick<KeyHolder, 'participant' | 'roles' | 'headers'> & Partial<Pick<KeyHolder, 'prefix' | 'app'>>)
  | undefined

const isOrganizerInBrowser = (sender: Sender): boolean =>
  sender !== undefined && 'cookie' in sender.headers && sender.roles.length > 0

/** Whether these are the roles of an organizer who may do what others with this role may. */
export const isAmong = (roles: readonly Role[], role: Role | 'any'): boolean =>
  role === 'any' ? roles.length > 0 : roles.includes('owner') || roles.includes(role)

/** The outcome of a request: success, or the reason of the failure. */
async function outcomeOf(response: TestResponse): Promise<string> {
  if (response.header('content-type')[0] !== 'application/json; charset=UTF-8') return success
  const [{ data, response_code }] = JSON.parse(response.bytes.toString())
  return response_code < 4000 ? success : data.reason
}

const newestChange = async ({ ctx }: TestApp) =>
  (
    await ctx.database.read
      .selectFrom('change')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
  )?.id

const sendAs = (t: TestApp, sender: Sender, name: SpecifiedOperationName, example?: Example) =>
  sendRequestAs(t, sender, name, requestFor(name, example))

const sendRequestAs = async (t: TestApp, sender: Sender, name: OperationName, request: TestRequest) => {
  const before = await newestChange(t)
  const path = (sender?.prefix ?? '') + request.path
  const response = await send(t, { ...request, path, headers: { ...request.headers, ...sender?.headers } })
  if ((await outcomeOf(response)) !== success) expect(await newestChange(t), `${name} was refused`).toBe(before)
  return response
}

/** One of each kind of sender. */
const representatives = [
  ...['a visitor', 'Ana', 'an organizer who is moderator', 'Ana at her URL', 'an app', 'Ana in a browser'],
  'an organizer who is desk, in a browser',
]

interface MatrixOptions {
  /** Whether requests come from everyone, or from {@link representatives} only. */
  isExhaustive: boolean
}

/** Declares the tests of a server with this `ACCESS`. */
export function declareMatrixTests(mode: Exclude<AccessMode, 'open'>, { isExhaustive }: MatrixOptions): void {
  describe(`where ACCESS is ${mode}`, () => {
    let t: AppWithKeys
    /** A participant without a key. */
    let cleo: ParticipantId
    const senders = new Map<string, Sender>()
    beforeAll(async () => {
      t = await startAppWithKeys(mode)
      await createExamples(t)
      cleo = (await make.participant(t, { first_name: 'Cleo' })) as ParticipantId
      senders.set('a visitor', undefined).set('Ana', t.ana).set('Ben', t.ben)
      for (const role of roles) senders.set(`an organizer who is ${role}`, await t.issueKey({ roles: [role] }))
      senders.set('Ana at her URL', await t.issuePersonalUrl(t.ana.participant))
      senders.set('an app', await t.issueAppUrl())
      senders.set('an app that may change records', await t.issueAppUrl('change'))
      const { participant, roles: none } = t.ana
      senders.set('Ana in a browser', { participant, roles: none, ...(await signInAsParticipant(t, participant)) })
      for (const role of ['owner', 'desk'] as const) {
        const session = await signInAsOrganizer(t, `${role}@summit.example`, [role])
        senders.set(`an organizer who is ${role}, in a browser`, { ...t.owner, roles: [role], ...session })
      }
      senders.set('Ana as a reader', await t.issueKey({ participant: t.ana.participant, roles: ['reader'] }))
      if (!isExhaustive) for (const who of senders.keys()) if (!representatives.includes(who)) senders.delete(who)
    })
    afterAll(() => t[Symbol.asyncDispose]())

    test.each(additionalNamesIn(mode))('%s may be used by those whom its access names', async (name) => {
      const { access } = operationOf(name)
      const { outcome, withoutParticipant = outcome, ...example } = examples[name]
      for (const [who, sender] of senders) {
        // It would end the session.
        if (name === 'signOut' && sender && 'cookie' in sender.headers) continue
        const mayUse =
          ('signIn' in access && (!sender || 'cookie' in sender.headers)) ||
          ('own' in access &&
            !sender?.app &&
            (access.atSecretUrl || !sender?.prefix) &&
            (!('session' in access) || isOrganizerInBrowser(sender))) ||
          ('organizers' in access && isAmong(sender?.roles ?? [], access.organizers))
        const outcomeIfAllowed = sender?.participant === 0 ? withoutParticipant : outcome
        const expected = !sender && !('signIn' in access) ? unauthenticated : mayUse ? outcomeIfAllowed : forbidden
        expect(await outcomeOf(await sendRequestAs(t, sender, name, requestOf(name, example))), who).toBe(expected)
      }
    })

    test.each(reads)('%s is read by those whom its access authorizes, also with HEAD and Range', async (name) => {
      const readers = readersOf(name)
      for (const [who, sender] of senders) {
        const expected = sender || (mode === 'public' && readers === 'anyone') ? success : unauthenticated
        expect(await outcomeOf(await sendAs(t, sender, name)), who).toBe(expected)
        for (const [method, headers] of [
          ['HEAD', {}],
          ['GET', { range: 'bytes=0-1' }],
        ] as const) {
          const path = (sender?.prefix ?? '') + requestFor(name).path
          const accept = 'application/problem+json'
          const { status } = await send(t, { method, path, headers: { ...headers, accept, ...sender?.headers } })
          expect([200, 206, 401], `${method} by ${who}`).toContain(status)
          expect(status === 401, `${method} by ${who}`).toBe(expected === unauthenticated)
        }
      }
    })

    const records = new Map<number, Awaited<ReturnType<typeof make.oneOfEach>>>()
    const recordsOf = async (author: number) => {
      const known = records.get(author) ?? (await make.oneOfEach(asOwner(t), author))
      records.set(author, known)
      return known
    }

    /** Who is named as the author of a record or a write. */
    const authors = () => ({
      'of Ana': t.ana.participant,
      'of Ben': t.ben.participant,
      'of Cleo': cleo,
      'of nobody': 0,
    })

    /** The outcome of a write in the name of `author`, or to a record of `author`. */
    function expectedOf(sender: Sender, name: SpecifiedOperationName, author: number): string {
      const { role } = operationOf(name).access as WriteAccess
      if (!sender) return unauthenticated
      if (sender.app) {
        const isAllowed = sender.app === 'change' || operationOf(name).method === 'POST'
        return isAllowed && author === cleo ? success : forbidden
      }
      const isOwn = author !== 0 && sender.participant === author
      return isOwn || sender.roles.includes('owner') || sender.roles.includes(role) ? success : forbidden
    }

    test.each(writes.filter((name) => 'changesOwn' in operationOf(name).access))(
      '%s changes the records of those whom its access authorizes',
      async (name) => {
        for (const [whose, author] of Object.entries(authors()))
          for (const [who, sender] of senders) {
            const params = paramsOf(name, await recordsOf(author))
            // Nobody is participant 0.
            if (Object.values(params).includes(0)) continue
            const outcome = await outcomeOf(await sendAs(t, sender, name, { params, body: minimalBodyOf(name) }))
            // Many can be deleted, or changed by a POST, only once.
            if (outcome === success && operationOf(name).method !== 'PUT') records.delete(author)
            expect(outcome, `${whose}, by ${who}`).toBe(expectedOf(sender, name, author))
          }
      },
    )

    test.each(writes.filter((name) => 'actor' in operationOf(name).access))(
      '%s is in the name of those whom its access authorizes',
      async (name) => {
        const access = operationOf(name).access as WriteAccess
        for (const member of access.actor ?? [])
          for (const [whose, author] of Object.entries(authors()))
            for (const [who, sender] of senders) {
              const { params, body } = operationOf(name)
              const inPath = member in params.properties
              const { minimum = 0 } = schemasOf(inPath ? params : body)[member] ?? {}
              // Some are of somebody, such as a like.
              if (author < Number(minimum)) continue
              // The records are the sender's own, so that only the name matters.
              const own = sender?.app ? cleo : (sender?.participant ?? 0)
              const records = await recordsOf(own)
              if (name === 'unlikeTopic') await like(t, records.topic, author)
              const named = { [member]: author }
              const example = {
                params: { ...paramsOf(name, records), ...(inPath && named) },
                body: { ...minimalBodyOf(name), ...(!inPath && named) },
              }
              const outcome = await outcomeOf(await sendAs(t, sender, name, example))
              const mayChange = !access.changesOwn || expectedOf(sender, name, own) === success
              expect(outcome, `${member} ${whose}, by ${who}`).toBe(
                sender && !mayChange ? forbidden : expectedOf(sender, name, author),
              )
            }
      },
    )

    test.each(writes.filter((name) => 'actor' in operationOf(name).access && operationOf(name).method === 'POST'))(
      '%s without a name carries the name of the participant, and is invalid for other organizers',
      async (name) => {
        for (const [who, sender] of senders) {
          if (!sender || (sender.participant === 0 && expectedOf(sender, name, 0) !== success)) continue
          const params = paramsOf(name, await recordsOf(0))
          const response = await sendAs(t, sender, name, { params, body: minimalBodyOf(name) })
          if (sender.participant === 0) expect(await outcomeOf(response), who).toBe('VALIDATION_FAILED')
          else expect(response.bytes.toString(), who).toContain(`{"id":"${sender.participant}","name":`)
        }
      },
    )
  })
}

function readersOf(name: SpecifiedOperationName) {
  const { access } = operationOf(name)
  if ('readers' in access) return access.readers
  throw new Error(`${name} is a read, so its access needs readers`)
}

/** The records to which the examples of reads refer. */
async function createExamples(t: AppWithKeys): Promise<void> {
  const { participant } = t.ben
  await t.owner.client.updateParticipant({ participantId: participant, photo: await storePhoto(t, participant) })
  await make.oneOfEach(asOwner(t), t.ana.participant)
  await storeLogo(t)
}

const asOwner = ({ ctx, owner: { client } }: AppWithKeys) => ({ ctx, client })

const like = (t: AppWithKeys, topic_id: number, created_by: number) =>
  t.owner.client.likeTopic({ topic_id, created_by })

/** The parameters of an operation that refer to these records. */
const paramsOf = (name: SpecifiedOperationName, records: Partial<Record<RecordKind, number>>) =>
  Object.fromEntries(
    Object.entries(schemasOf(operationOf(name).params)).map(([param, schema]) => {
      const id = records[kindOf(schema) as RecordKind]
      if (id === undefined) throw new Error(`make.oneOfEach returns no id for the ${param} of ${name}`)
      return [param, id]
    }),
  )

/** The body with the fewest members, without those that name a participant. */
function minimalBodyOf(name: SpecifiedWriteName): Members {
  const { access, body } = operationOf(name)
  const { body: members = {}, minimalBody }: SpecifiedExample = examples[name]
  const actors = 'actor' in access ? (access.actor ?? []) : []
  const required: readonly string[] = body?.required ?? []
  return (
    minimalBody ??
    Object.fromEntries(Object.entries(members).filter(([key]) => required.includes(key) && !actors.includes(key)))
  )
}
