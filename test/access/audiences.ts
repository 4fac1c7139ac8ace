import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createClient, type EnvelopeResponse, isSuccess } from '../../src/client/client.ts'
import type { Role } from '../../src/contract/access.ts'
import { type JsonOperationName, operations } from '../../src/contract/index.ts'
import { pathOf } from '../../src/contract/operation.ts'
import { noParticipant, type OrganizerId, type ParticipantId } from '../../src/server/core/ids.ts'
import { withoutMediaKeys } from '../../src/server/core/media-key.ts'
import { changeOrganizerRoles, findOrganizer, removeOrganizer } from '../../src/server/domains/organizers/organizers.ts'
import { removeParticipants } from '../../src/server/domains/participants/stored-participants.ts'
import { forgetParticipant } from '../../src/server/domains/privacy/forget-participant.ts'
import { pathsOf, type Sequences } from '../../src/server/http/cache-consistency.fixtures.ts'
import { addRecords, requests, type Step, step, writes } from '../../src/server/http/random-writes.fixtures.ts'
import { storePhoto } from '../contract/example-app.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import type { AppWithKeys, KeyHolder } from './app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from './sessions.ts'

// Random histories of writes, retries, revocations, sign-ins, sign-outs, changes of roles and deletions by everyone,
// after which everyone reads everything, at the same URLs, from a server with a cache and from one without.

/** Two servers of one summit. */
export interface SummitWithKeys extends AsyncDisposable {
  t: AppWithKeys
  /** The URL of the server that caches responses. */
  cached: string
  /** The URL of the server that does not. */
  uncached: string
}

/** Contacts that only organizers may read from others. */
const contacts = '@summit.example'

/** Whether a write is a request; the others are commands. */
const isRequest = (kind: Step['kind']): boolean => kind in requests

export interface Histories extends Sequences {
  /** Organizers with one role each. */
  roles: readonly Role[]
  /** The compared requests of each read, at most. */
  ofEachRead: number
}

/** Executes random histories, and compares what everyone reads after each batch of concurrent events. */
export async function expectNoLeaks(
  start: () => Promise<SummitWithKeys>,
  { batches, numRuns, roles, ofEachRead }: Histories,
): Promise<void> {
  const event = eventBy(['Ana', 'Ben', 'Cleo', 'Dan', moderator, browser, organizer, app, ...roles])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(event, { minLength: 1, maxLength: 4 }), batches), async (history) => {
      await using summit = await start()
      const audiences = await Audiences.of(summit, roles, ofEachRead)
      await audiences.readAll()
      for (const batch of history) {
        await Promise.all([audiences.readSome(), ...batch.map((one) => audiences.execute(one))])
        await audiences.expectNoLeak()
      }
    }),
    // No shrinking on failure: it would take minutes, and the printed seed replays the run.
    { numRuns, endOnFailure: true },
  )
}

const visitor = 'a visitor'
const moderator = 'Ana as a moderator'
const atPersonalUrl = 'Ana at her URL'
const browser = 'Ana in a browser'
const organizer = 'Eva, an organizer in a browser'
const app = 'an app for all'
const revoked = 'the holder of a revoked key'

/** Owners and moderators may moderate, the others may not. */
const rolesOfEva = ['owner', 'moderator', 'editor', 'reader'] as const

type Event = ReturnType<typeof eventBy> extends fc.Arbitrary<infer E> ? E : never

function eventBy(withKey: readonly string[]) {
  const sender = fc.constantFrom(visitor, revoked, ...withKey)
  return fc.oneof(
    // A write by some of them, each with the same idempotency key, and a retry by each.
    { weight: 8, arbitrary: fc.record({ step, by: fc.uniqueArray(sender, { minLength: 1, maxLength: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ replacedKey: fc.constantFrom(...withKey) }) },
    // An organizer gets other roles, or is removed and invited again.
    { weight: 2, arbitrary: fc.record({ changedRole: fc.constantFrom(...rolesOfEva) }) },
    { weight: 1, arbitrary: fc.constant({ isRemoved: true as const }) },
    { weight: 1, arbitrary: fc.record({ deleted: fc.constantFrom('Cleo', 'Dan') }) },
  )
}

class Audiences {
  readonly #summit: SummitWithKeys
  /** The present key of each sender; a visitor has none. */
  readonly #keys: Map<string, KeyHolder>
  readonly #paths: readonly string[]
  /** Participants who were deleted. */
  readonly #deleted = new Set<ParticipantId>()
  #writes = 0
  /** Steps on one session run one after the other, so that the outcome is known. */
  #sessionEvents: Promise<void> = Promise.resolve()

  private constructor(summit: SummitWithKeys, keys: Map<string, KeyHolder>, paths: string[]) {
    this.#summit = summit
    this.#keys = keys
    this.#paths = paths
  }

  static async of(summit: SummitWithKeys, roles: readonly Role[], ofEachRead: number): Promise<Audiences> {
    const { t } = summit
    const { ana, ben, issueKey } = t
    await addRecords({ ...t, client: t.owner.client })
    const photo = await storePhoto(t, ben.participant)
    await t.owner.client.updateParticipant({ participantId: ben.participant, photo })
    const old = await issueKey({ participant: ana.participant, roles: ['owner'] })
    await t.revoke(old)
    // The last owner can neither be removed nor get another role.
    await signInAsOrganizer(t, 'owner@organizers.example', ['owner'])
    const keys = new Map<string, KeyHolder>([
      ['Ana', ana],
      ['Ben', ben],
      ['Cleo', await issueKey({ participant: 3 as ParticipantId })],
      ['Dan', await issueKey({ participant: 4 as ParticipantId })],
      [moderator, await issueKey({ participant: ana.participant, roles: ['moderator'] })],
      [atPersonalUrl, await t.issuePersonalUrl(ana.participant)],
      [browser, await signInAgain(t, ana)],
      [organizer, await signInAgain(t, { ...t.owner, roles: ['moderator'] })],
      [app, await t.issueAppUrl('change')],
      [revoked, old],
    ])
    for (const role of roles) keys.set(role, await issueKey({ roles: [role] }))
    const files = [1, 2, 3, 4]
      .slice(0, ofEachRead)
      .map((file_id) => pathOf(operations.readFile, { file_id, file_name: 'a.txt' }))
    const pictures = [operations.readBanner, operations.readPhoto].map((operation) => pathOf(operation, { id: 1 }))
    const paths = [...pathsOf(ofEachRead), ...files, ...pictures.slice(0, ofEachRead), `/${photo}`]
    return new Audiences(summit, keys, paths)
  }

  async execute(one: Event): Promise<void> {
    if ('replacedKey' in one && isSession(this.#keys.get(one.replacedKey)))
      await this.#inOrder(() => this.#replaceSession(one.replacedKey))
    else if ('replacedKey' in one) await this.#replaceKey(one.replacedKey)
    else if ('changedRole' in one) await this.#inOrder(() => this.#changeRole(one.changedRole))
    else if ('isRemoved' in one) await this.#inOrder(() => this.#removeOrganizer())
    else if ('deleted' in one) await this.#delete(one.deleted)
    else if (isRequest(one.step.kind)) await this.#write(one.step, one.by)
    else {
      const { t } = this.#summit
      await writes[one.step.kind](t.owner.client, one.step, t)
    }
  }

  /** Everyone reads everything, so that it is cached. */
  async readAll(): Promise<void> {
    for (const path of this.#paths) await this.#readByAll(path, this.#summit.cached)
  }

  /** Everyone reads a few URLs while others write. */
  async readSome(): Promise<void> {
    for (const path of this.#paths.slice(0, 3)) await this.#readByAll(path, this.#summit.cached)
  }

  /** Everyone reads everything from both servers. */
  async expectNoLeak(): Promise<void> {
    const { cached, uncached } = this.#summit
    for (const path of this.#paths) {
      const [outcomes, expected] = await Promise.all([this.#readByAll(path, cached), this.#readByAll(path, uncached)])
      expect(outcomes, path).toEqual(expected)
      for (const [sender, outcome] of Object.entries(outcomes))
        this.#expectAllowed(sender, outcome, `${path} for ${sender}`)
    }
  }

  /** Holds for every outcome that the servers agree on. */
  #expectAllowed(sender: string, outcome: string, message: string): void {
    const key = this.#keys.get(sender)
    const isUsable = key && sender !== revoked && !this.#deleted.has(key.participant)
    if (isUsable) expect(outcome, message).not.toBe('UNAUTHENTICATED')
    else if (key) expect(outcome, message).toBe('UNAUTHENTICATED')
    if (/^\w+$/.test(outcome)) return
    expect(outcome.startsWith('private'), message).toBe(key !== undefined)
    if (message.startsWith('/api/feedback/') && !isOrganizer(key))
      for (const [, author] of outcome.matchAll(/"author":\{"id":("\d+"|null)/g))
        expect(author, message).toBe(`"${key?.participant}"`)
    if (message.startsWith('/api/participants/0/')) expect(outcome.includes(contacts)).toBe(isOrganizer(key))
  }

  /** @returns the outcome for each sender, see {@link outcomeOf} */
  async #readByAll(path: string, url: string): Promise<Record<string, string>> {
    const outcomes = await Promise.all(
      [visitor, ...this.#keys.keys()].map(async (sender) => {
        const key = this.#keys.get(sender)
        const outcome = await outcomeOf(await fetch(url + (key?.prefix ?? '') + path, { headers: { ...key?.headers } }))
        if (!isOrganizer(key)) expect(outcome, `${path} for ${sender}`).not.toContain(contacts)
        return [sender, outcome] as const
      }),
    )
    return Object.fromEntries(outcomes)
  }

  async #write(sent: Step, by: readonly string[]): Promise<void> {
    const { t, cached, uncached } = this.#summit
    const idempotencyKey = `write-${++this.#writes}`
    const send = async (sender: string, url: string) => {
      const key = this.#keys.get(sender)
      const client = createClient(url + (key?.prefix ?? ''), {
        headers: { ...key?.headers, 'idempotency-key': idempotencyKey },
      })
      return (await writes[sent.kind](client, sent, t)) as EnvelopeResponse<JsonOperationName>
    }
    const urls = sent.via ? [cached, uncached] : [uncached, cached]
    await Promise.all(
      this.#oneOfEachKeyOwner(by).map(async (sender) => {
        const message = `${sent.kind} by ${sender} among ${by.join()}`
        const first = await send(sender, urls[0] ?? '')
        // What others sent with the same key is neither repeated nor in the way.
        expect(isReplayed(first), message).toBe(false)
        expect([4091, 4221], message).not.toContain(first.envelope.response_code)
        const second = await send(sender, urls[1] ?? '')
        if (!isReplayed(second)) return
        expect(isSuccess(first.envelope), message).toBe(true)
        if (first.text.length < maxStoredChars)
          expect(withoutMediaKeys(dataIn(second.text)), message).toBe(withoutMediaKeys(dataIn(first.text)))
      }),
    )
  }

  /** Ana's browser and Ana's key share their idempotency keys, so only the first sender of each owner writes. */
  #oneOfEachKeyOwner(senders: readonly string[]): string[] {
    const ownerOf = (sender: string) => {
      const { participant = noParticipant, roles = [] } = this.#keys.get(sender) ?? {}
      return participant === noParticipant ? sender : `${participant} ${roles.join()}`
    }
    return [...new Map(senders.toReversed().map((sender) => [ownerOf(sender), sender])).values()]
  }

  /** Revokes a key and issues another. The old one must fail at once. */
  async #replaceKey(sender: string): Promise<void> {
    const { t } = this.#summit
    const old = this.#keys.get(sender)
    if (!old) return
    const { participant, roles: held } = old
    const issued = old.app ? await t.issueAppUrl(old.app) : await t.issueKey({ participant, roles: held })
    this.#keys.set(sender, issued)
    await t.revoke(old)
    await this.#expectEnded(old)
  }

  async #expectEnded({ prefix, headers }: KeyHolder): Promise<void> {
    const { cached, uncached } = this.#summit
    for (const path of this.#paths.slice(0, 2))
      for (const url of [cached, uncached])
        expect(await outcomeOf(await fetch(url + prefix + path, { headers }))).toBe('UNAUTHENTICATED')
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    this.#sessionEvents = this.#sessionEvents.then(work)
    return this.#sessionEvents
  }

  /** Signs out at one server, and in again. The session must have ended at once, at both. */
  async #replaceSession(sender: string): Promise<void> {
    const old = this.#keys.get(sender)
    if (!old) return
    this.#keys.set(sender, await signInAgain(this.#summit.t, old))
    expect(await make.codeOf(old.client.call('signOut', {}))).toBe(1000)
    await this.#expectEnded(old)
  }

  /** Changes the roles of an organizer who is signed in. The next request must have them, at both servers. */
  async #changeRole(role: Role): Promise<void> {
    const { t, cached, uncached } = this.#summit
    const eva = this.#keys.get(organizer)
    if (!eva) return
    const { id } = await getEva(t)
    await inCommand(t, (scope) => changeOrganizerRoles(scope, { organizer_id: id, roles: role }))
    this.#keys.set(organizer, { ...eva, roles: [role] })
    for (const url of [cached, uncached]) {
      const moderating = createClient(url, { headers: eva.headers }).call('deleteComment', { comment_id: 999_999 })
      expect(await make.codeOf(moderating), role).toBe(role === 'owner' || role === 'moderator' ? 4040 : 4030)
    }
  }

  /** Removes an organizer, and invites her again. Her session must have ended at once, at both servers. */
  async #removeOrganizer(): Promise<void> {
    const { t } = this.#summit
    const old = this.#keys.get(organizer)
    if (!old) return
    const { id } = await getEva(t)
    await inCommand(t, (scope) => removeOrganizer(scope, id))
    await this.#expectEnded(old)
    this.#keys.set(organizer, await signInAgain(t, old))
  }

  async #delete(sender: 'Cleo' | 'Dan'): Promise<void> {
    const { participant = 0 as ParticipantId } = this.#keys.get(sender) ?? {}
    if (this.#deleted.has(participant)) return
    this.#deleted.add(participant)
    await inCommand(this.#summit.t, async (scope) => {
      if (sender === 'Dan') await forgetParticipant(scope, participant, true)
      else await removeParticipants(scope, [participant])
    })
  }
}

/** Signs in once more, in a browser: as the participant, or as the organizer Eva. */
async function signInAgain(t: AppWithKeys, holder: KeyHolder): Promise<KeyHolder> {
  const session = isOrganizer(holder)
    ? await signInAsOrganizer(t, emailOfEva, holder.roles)
    : await signInAsParticipant(t, holder.participant)
  return { ...holder, ...session }
}

const emailOfEva = 'eva@organizers.example'

async function getEva({ ctx }: AppWithKeys): Promise<{ id: OrganizerId }> {
  const eva = await findOrganizer(ctx.database.read, emailOfEva)
  if (!eva) throw new Error('Eva is no organizer')
  return eva
}

const isSession = (key: KeyHolder | undefined): boolean => key !== undefined && 'cookie' in key.headers

/** A stored response that is longer may be read again, and show what others have changed since. */
const maxStoredChars = 4_096

const isReplayed = ({ headers }: { headers: Headers }): boolean => headers.get('idempotency-replayed') === 'true'

const isOrganizer = (key: KeyHolder | undefined): boolean => (key?.roles.length ?? 0) > 0

/** The JSON text of the data in an envelope. */
const dataIn = (text: string): string => text.slice(text.indexOf('"data":'), text.lastIndexOf(',"system":'))

/**
 * A text that is equal for equal responses: the reason of a failure, or `Cache-Control`, if there is one, and what was
 * read.
 */
async function outcomeOf(response: Response): Promise<string> {
  const cacheControl = response.headers.get('cache-control') ?? 'none'
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('application/json'))
    return `${cacheControl} ${response.status} ${type} ${hash('sha256', Buffer.from(await response.arrayBuffer()))}`
  const text = await response.text()
  const dataText = dataIn(text)
  return text.startsWith('[{"response_code":1000,')
    ? `${cacheControl} ${dataText}`
    : (/"reason":"(\w+)"/.exec(text)?.[1] ?? text)
}
