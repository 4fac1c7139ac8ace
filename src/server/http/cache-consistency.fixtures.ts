import fc from 'fast-check'
import { expect } from 'vitest'
import { createAuthenticator } from '../../../test/access/software-authenticator.ts'
import { startOtherServer, startTestApp, type TestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import type { Client } from '../../client/client.ts'
import { verify } from '../../client/verify.ts'
import { type Input, operations, type SpecifiedWriteName } from '../../contract/index.ts'
import { pathOf } from '../../contract/operation.ts'
import { revokeCredential } from '../access/credentials.ts'
import { createKey } from '../access/keys.ts'
import { rotateMediaKeys } from '../access/media-keys.ts'
import type { CachedOperationName } from '../cache/dependencies.ts'
import {
  type CommentId,
  type EventId,
  noParticipant,
  type OrganizerId,
  type ParticipantId,
  type PasskeyId,
  type TopicId,
} from '../core/ids.ts'
import { Links } from '../core/links.ts'
import { forgetParticipant } from '../erasure/forget-participant.ts'
import { deleteFeedback } from '../feedback/feedback.ts'
import { restoreComment } from '../newsfeed/comments.ts'
import { restoreTopic } from '../newsfeed/topics.ts'
import { connectIdentity, disconnectIdentity } from '../organizers/identities.ts'
import { changeOrganizerRoles, inviteOrganizer, removeOrganizer, saveOrganizer } from '../organizers/organizers.ts'
import { setLoginEmail } from '../participants/login-emails.ts'
import { updateSharing } from '../participants/sharing.ts'
import { loadParticipants, removeParticipant } from '../participants/stored-participants.ts'
import { register, removePasskey, startRegistration } from '../passkeys/passkeys.ts'
import { eraseParticipant } from '../privacy/erase.ts'
import { cancelEvent, updateEvent } from '../program/events.ts'
import { loadEvents, removeEvent } from '../program/stored-events.ts'
import { commandScope, type WriteScope } from '../scope.ts'
import { prepareRedemption } from '../sign-in/sign-in.ts'

const signatureKey = '5a'.repeat(32)

/** A write of a random sequence. */
export interface Step {
  kind: keyof typeof writes
  /** Selects the record, among those that may exist. */
  target: number
  /** Selects the server that executes it. */
  via: number
  text: string
}

const idsOf = (target: number) => ({
  topic_id: 1 + (target % 4),
  comment_id: 1 + (target % 6),
  file_Id: 1 + (target % 4),
})

type Write = (client: Client, step: Step, t: TestApp) => Promise<unknown>

/** Every write of the API, and those of commands. They may fail, as their record may not exist. */
export const writes = {
  createTopic: (c, { text, target }) =>
    c.call('createTopic', {
      name: `T ${text}`,
      created_by: target % 4,
      uploaded_files: [`https://example.org/${target}.png`],
    }),
  updateTopic: (c, { text, target }) => c.call('updateTopic', { ...idsOf(target), name: `U ${text}` }),
  likeTopic: (c, { target }) => c.call('likeTopic', { ...idsOf(target), created_by: 1 + (target % 3) }),
  unlikeTopic: (c, { target }) => c.call('unlikeTopic', { ...idsOf(target), participant_id: 1 + (target % 3) }),
  createComment: (c, { text, target }) =>
    c.call('createComment', {
      ...idsOf(target),
      comment: `C ${text}`,
      created_by: target % 4,
      uploaded_files: [pixel],
    }),
  updateComment: (c, { text, target }) => c.call('updateComment', { ...idsOf(target), comment: `D ${text}` }),
  deleteComment: (c, { target }) => c.call('deleteComment', idsOf(target)),
  deleteFile: (c, { target }) => c.call('deleteFile', idsOf(target)),
  addFeedback: (c, { text, target }) => c.call('addFeedback', { created_by: 1 + (target % 3), comments: text }),
  updateParticipant: (c, { text, target }) =>
    c.call('updateParticipant', { participantId: 1 + (target % 3), last_name: text }),
  addParticipant: (_c, { text }, t) => make.participant(t, { first_name: text }),
  addEvent: (_c, { text }, t) =>
    make.event(t, { title: text }, [{ date: '2030-05-02', time: '09:00:00', title: text }]),
  updateEvent: (_c, { text, target }, t) =>
    inCommand(t, (scope) => updateEvent(scope, eventOf(target), { title: text }, [])),
  deleteTopic: (c, { target }) => c.call('deleteTopic', idsOf(target)),
  cancelEvent: (_c, { target }, t) => inCommand(t, (scope) => cancelEvent(scope, eventOf(target))),
  restoreTopic: async (c, { target }, t) => {
    await c.call('deleteTopic', idsOf(target))
    await inCommand(t, (scope) => restoreTopic(scope, idsOf(target).topic_id as TopicId))
  },
  restoreComment: async (c, { target }, t) => {
    await c.call('deleteComment', idsOf(target))
    await inCommand(t, (scope) => restoreComment(scope, idsOf(target).comment_id as CommentId))
  },
  // Records of their own, to which no others refer.
  removeEvent: async (_c, { text }, t) => {
    const id = (await make.event(t, { title: text })) as EventId
    await inCommand(t, async (scope) => {
      for (const stored of await loadEvents(scope.db, [id])) await removeEvent(scope, stored)
    })
  },
  deleteFeedback: async (c, { text }, t) => {
    await c.addFeedback({ created_by: 1, comments: text })
    const { id } = await t.ctx.database.read
      .selectFrom('feedback')
      .select((select) => select.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    await inCommand(t, (scope) => deleteFeedback(scope, Number(id)))
  },
  updateSharing: (c, { target }) => c.call('updateSharing', choicesOf(target)),
  // In the scope of the participant, since with `open` nobody signs in and there is no such request.
  updateSharingOfFirst: (_c, { target }, t) =>
    inCommand(t, async (scope) => {
      const first = { ...scope, principal: { ...scope.principal, participant: 1 as ParticipantId } }
      await updateSharing(first, { mobile_no: true, is_hidden: false })
      await updateSharing(first, { mobile_no: false, is_hidden: true })
      await updateSharing(first, choicesOf(target))
    }),
  removeParticipant: async (_c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await inCommand(t, async (scope) => {
      for (const stored of await loadParticipants(scope.db, [id])) await removeParticipant(scope, stored)
    })
  },
  forgetParticipant: async (c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await c.createTopic({ name: text, created_by: id })
    await inCommand(t, (scope) => forgetParticipant(scope, id, false))
  },
  anonymizeParticipant: async (c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await c.createTopic({ name: text, created_by: id })
    await inCommand(t, (scope) => eraseParticipant(scope, t.ctx, id, 'keep', []))
  },
  createKey: (_c, { text }, t) => inCommand(t, (scope) => createKey(scope, readerKey(text))),
  // Not named like an operation: it is no request.
  revokeKey: (_c, { text }, t) =>
    inCommand(t, async (scope) => revokeCredential(scope, (await createKey(scope, readerKey(text))).id)),
  rotateMediaKeys: (_c, _step, t) => inCommand(t, rotateMediaKeys),
  organizer: (_c, { text }, t) =>
    inCommand(t, async (scope) => {
      const email = `${Buffer.from(text).toString('hex')}@summit.example`
      const { organizer, invitation } = await inviteOrganizer(scope, { email, roles: 'desk' })
      const token = new URL(invitation.link, 'https://summit.example').hash.slice(1)
      await (await prepareRedemption(scope, { token }))(scope)
      const organizer_id = Number(organizer.id) as OrganizerId
      await changeOrganizerRoles(scope, { organizer_id, roles: 'reader' })
      await removeOrganizer(scope, organizer_id)
    }),
  loginEmail: async (_c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await inCommand(t, (scope) => setLoginEmail(scope, id, `${Buffer.from(text).toString('hex')}@login.example`))
  },
  identity: (_c, { text }, t) =>
    inCommand(t, async (scope) => {
      const organizer = await saveOrganizer(scope, `${Buffer.from(text).toString('hex')}@identity.example`, ['desk'])
      const signedIn = { ...scope, principal: { ...scope.principal, organizer } }
      await connectIdentity(signedIn, { issuer: 'https://login.example', subject: text })
      await disconnectIdentity(signedIn)
    }),
  passkey: (_c, { text }, t) =>
    inCommand(t, async (scope) => {
      const organizer = await saveOrganizer(scope, `${Buffer.from(text).toString('hex')}@passkeys.example`, ['desk'])
      const publicUrl = 'https://summit.example'
      const inBrowser: WriteScope = {
        ...scope,
        links: new Links(publicUrl, ''),
        principal: { ...scope.principal, organizer },
        sentCookie: () => /=([^;]+)/.exec(scope.cookies[0] ?? '')?.[1],
      }
      const { options } = await startRegistration(inBrowser, 'Eva')
      const add = await register(inBrowser, { label: text, ...createAuthenticator(publicUrl).register(options) })
      const { passkey } = await add(inBrowser)
      await removePasskey(inBrowser, { passkey_id: Number(passkey.id) as PasskeyId })
    }),
} satisfies Record<SpecifiedWriteName, Write> & Record<string, Write>

/** E-mail addresses, by which tests recognize contacts, are never shared. */
const choicesOf = (target: number) => ({
  mobile_no: target % 2 === 0,
  employee_no: target % 3 === 0,
  is_hidden: target % 5 === 0,
})

const readerKey = (label: string) => ({ label, participant: noParticipant, roles: ['reader'] as const, expiresAt: 0 })

/** Adds records of every kind, so that most writes find theirs. */
export async function addRecords(t: TestApp): Promise<void> {
  for (let nth = 0; nth < 2; nth++) {
    await make.participant(t)
    await make.event(t)
    await make.topic(t, { uploaded_files: [pixel] })
    await make.comment(t, { topic_id: nth + 1, uploaded_files: [pixel] })
  }
}

const pixel = 'data:text/plain;base64,eA=='
const eventOf = (target: number) => (1 + (target % 2)) as EventId
export const inCommand = <T>(t: TestApp, work: (scope: ReturnType<typeof commandScope>) => Promise<T>) =>
  t.ctx.database.transaction((tx) => work(commandScope(t.ctx, tx, 'test')))

const page = { offset: 0, limit: 10 }

/** The compared requests of every read. */
const reads: { [N in CachedOperationName]: Input<N>[] } = {
  listTopics: [
    { offset: 0, limit: 2 },
    { offset: 1, limit: 2 },
    { offset: 0, limit: 100 },
  ],
  getTopic: [1, 2, 3, 4].map((topic_id) => ({ topic_id })),
  listComments: [1, 2, 3, 4].map((topic_id) => ({ topic_id, ...page })),
  getComment: [1, 2, 3].map((comment_id) => ({ comment_id })),
  listEvents: [page],
  getEvent: [{ id: 1 }],
  listFeedback: [page],
  listFeedbackOfParticipant: [{ ...page, participant_id: 2 }],
  listParticipants: [page],
}
/** The paths of each read, at most this many. */
export const pathsOf = (ofEach = Number.POSITIVE_INFINITY): string[] =>
  Object.entries(reads).flatMap(([name, inputs]) =>
    inputs.slice(0, ofEach).map((input) => pathOf(operations[name as CachedOperationName], input)),
  )
const paths = pathsOf()

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(writes) as (keyof typeof writes)[])),
  target: fc.nat(11),
  via: fc.nat(1),
  text: fc.string({ minLength: 1, maxLength: 5 }).map((text) => `${text}.`),
})

const fetchText = async (url: string, path: string) =>
  (await fetch(url + path, { headers: { host: 'summit.test' } })).text()
/** The data of a response, without the parts that differ between servers and requests. */
const dataOf = (responseText: string, url: string) => {
  const [{ response_code, data }] = JSON.parse(responseText.replaceAll(url, ''))
  return response_code === 1000 ? data : response_code
}

/** Starts two servers with a cache and one without, all on the same data. */
export async function startServers() {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startTestApp({ SIGNATURE_KEY: signatureKey }))
  await addRecords(t)
  const one = stack.use(await startOtherServer(t))
  const other = stack.use(await startOtherServer(t))
  const uncached = stack.use(await startOtherServer(t, { pageCacheBytes: 0 }))
  const disposal = stack.move()
  return {
    t,
    one,
    other,
    /** Reads every path, 700 ms after the last time, so that the second usually changes but not always. */
    async expectExact() {
      t.advance(700)
      const expectPath = async (path: string) => {
        const urls = [one.url, other.url]
        const [expected, ...texts] = await Promise.all([uncached.url, ...urls].map((url) => fetchText(url, path)))
        for (const [index, text] of texts.entries()) {
          expect(dataOf(text, urls[index] ?? ''), path).toEqual(dataOf(expected ?? '', uncached.url))
          expect(JSON.parse(text)[0].system.created_at).toBe(t.ctx.timestamp(t.ctx.clock()))
          expect(await verify(text, signatureKey)).toBe(true)
        }
      }
      await Promise.all(paths.map(expectPath))
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

export interface Sequences {
  /** Batches of concurrent writes. */
  batches: { minLength: number; maxLength: number }
  numRuns: number
}

/** Executes random sequences of concurrent writes on both servers, and compares every response after each batch. */
export async function expectExactAfterAnyWrites({ batches, numRuns }: Sequences): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), batches), async (sequence) => {
      await using all = await startServers()
      for (const batch of sequence) {
        const reading = paths.slice(0, 3).map((path) => fetchText(all.one.url, path))
        await Promise.all(batch.map((step) => writes[step.kind]((step.via ? all.one : all.other).client, step, all.t)))
        await Promise.all(reading)
        await all.expectExact()
      }
    }),
    // No shrinking on failure: it would take minutes, and the printed seed replays the run.
    { numRuns, endOnFailure: true },
  )
}
