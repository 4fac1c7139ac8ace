import fc from 'fast-check'
import { createAuthenticator } from '../../../test/access/software-authenticator.ts'
import type { TestApp } from '../../../test/app.ts'
import {
  examples,
  kindOf,
  type Members,
  operationOf,
  schemasOf,
  writes as writesWithRole,
} from '../../../test/contract/examples.ts'
import { inCommand } from '../../../test/in-command.ts'
import * as make from '../../../test/make.ts'
import type { Client } from '../../client/client.ts'
import type { SpecifiedWriteName } from '../../contract/index.ts'
import type { RecordKind } from '../../contract/operation.ts'
import { uploadsMember } from '../../contract/uploads.ts'
import { revokeCredential } from '../auth/credentials.ts'
import { createKey } from '../auth/keys.ts'
import { rotateMediaKeys } from '../auth/media-keys.ts'
import { register, removePasskey, startRegistration } from '../auth/passkeys/passkeys.ts'
import {
  type CommentId,
  type EventId,
  noParticipant,
  type OrganizerId,
  type ParticipantId,
  type PasskeyId,
  type SpeakerId,
  type TopicId,
} from '../core/ids.ts'
import { Links } from '../core/links.ts'
import { publish } from '../domains/editing/publish.ts'
import { deleteFeedback } from '../domains/feedback/feedback.ts'
import { restoreComment } from '../domains/newsfeed/comments.ts'
import { restoreTopic } from '../domains/newsfeed/topics.ts'
import { connectIdentity, disconnectIdentity } from '../domains/organizers/identities.ts'
import {
  changeOrganizerRoles,
  inviteOrganizer,
  removeOrganizer,
  saveOrganizer,
} from '../domains/organizers/organizers.ts'
import { setLoginEmail } from '../domains/participants/login-emails.ts'
import { updateSharing } from '../domains/participants/sharing.ts'
import { removeParticipants } from '../domains/participants/stored-participants.ts'
import { eraseParticipant } from '../domains/privacy/erase.ts'
import { forgetSpeaker } from '../domains/privacy/erase-speaker.ts'
import { forgetParticipant } from '../domains/privacy/forget-participant.ts'
import { saveDraft } from '../domains/program/drafts.ts'
import { addEvent, cancelEvent, updateEvent } from '../domains/program/events.ts'
import { addRecord, type ProgramRecordKind, removeRecord, updateRecord } from '../domains/program/records.ts'
import { loadEvents, removeEvent } from '../domains/program/stored-events.ts'
import { prepareRedeemInvitation } from '../domains/sign-in/redeem-invitation.ts'
import { updateStars } from '../domains/stars/stars.ts'
import type { WriteScope } from '../scope.ts'

/** A write of a random sequence. */
export interface Step {
  kind: keyof typeof writes
  /** Selects the record, among those that may exist. */
  target: number
  /** Selects the server that executes it. */
  via: number
  text: string
}

/** The ids that a random write refers to, of those that may exist. */
const records: Partial<Record<RecordKind, number>> = { topic: 4, comment: 6, file: 4, participant: 3 }

const idOf = (kind: RecordKind, target: number): number => 1 + (target % (records[kind] ?? 2))

/** By which tests recognize participants, and what they may show to others. */
const unchanged = ['email', 'mobile_no', 'employee_no', 'photo']

/** A random request to an operation: its example with other ids, texts and files. */
function randomRequest(name: SpecifiedWriteName, { target, text }: Step): Members {
  const { params, body, anyOf = [] } = operationOf(name)
  const example: Members = { ...examples[name].params, ...examples[name].body }
  const needed = [...Object.keys(params.properties), ...(body?.required ?? []), ...anyOf.slice(0, 1)]
  const randomValue = (member: string, schema: Members): unknown => {
    const kind = kindOf(schema)
    // 0 stands for nobody.
    if (kind && needed.includes(member)) return schema.minimum === 0 ? (target + 1) % 4 : idOf(kind, target)
    if (member === uploadsMember) return [target % 2 === 0 ? pixel : `https://example.org/${target}.png`]
    if ('x-limit' in schema && member in example && !unchanged.includes(member)) return `${name} ${text}`
    return needed.includes(member) ? example[member] : undefined
  }
  const members = Object.entries({ ...schemasOf(params), ...schemasOf(body) })
  return Object.fromEntries(members.map(([member, schema]) => [member, randomValue(member, schema)]))
}

type Write = (client: Client, step: Step, t: TestApp) => Promise<unknown>

/** Every write of the API whose access has a role. They may fail, as their record may not exist. */
export const requests = Object.fromEntries(
  writesWithRole.map((name): [SpecifiedWriteName, Write] => [
    name,
    // The type of a request depends on the name, which is any of all here.
    (client, step) => client.call(name, randomRequest(name, step) as never),
  ]),
) as Record<SpecifiedWriteName, Write>

/** Those, and the writes of commands. */
export const writes = {
  ...requests,
  addParticipant: (_c, { text }, t) => make.participant(t, { first_name: text }),
  addEvent: (_c, { text }, t) =>
    make.event(t, { title: text }, [{ date: '2030-05-02', time: '09:00:00', title: text }]),
  updateEvent: (_c, { text, target }, t) =>
    inCommand(t, (scope) => updateEvent(scope, eventOf(target), { title: text }, [])),
  saveDrafts: (_c, { target, text }, t) => inCommand(t, (scope) => saveDrafts(scope, target, text)),
  publish: (_c, _, t) => inCommand(t, (scope) => publish(scope, {})),
  cancelEvent: (_c, { target }, t) => inCommand(t, (scope) => cancelEvent(scope, eventOf(target))),
  renameConference: (_c, { text }, t) =>
    inCommand(t, (scope) => updateRecord(scope, 'conference', 1, { title: text, time_zone: 'Asia/Manila' })),
  renameRoom: rename('room'),
  renameTrack: rename('track'),
  renameSpeaker: rename('speaker'),
  removeRoom: addAndRemove('room'),
  removeTrack: addAndRemove('track'),
  removeSpeaker: addAndRemove('speaker'),
  eraseSpeaker: (_c, { target }, t) =>
    inCommand(t, (scope) => forgetSpeaker(scope, idOf('event', target) as SpeakerId)),
  restoreTopic: async (c, { target }, t) => {
    await c.call('deleteTopic', { topic_id: idOf('topic', target) })
    await inCommand(t, (scope) => restoreTopic(scope, idOf('topic', target) as TopicId))
  },
  restoreComment: async (c, { target }, t) => {
    await c.call('deleteComment', { comment_id: idOf('comment', target) })
    await inCommand(t, (scope) => restoreComment(scope, idOf('comment', target) as CommentId))
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
  // In the scope of the participant, since with `open` no participant signs in and there is no such request.
  updateSharingOfFirst: (_c, { target }, t) =>
    inCommand(t, async (scope) => {
      const first = { ...scope, principal: { ...scope.principal, participant: 1 as ParticipantId } }
      await updateSharing(first, { mobile_no: true, is_hidden: false })
      await updateSharing(first, { mobile_no: false, is_hidden: true })
      await updateSharing(first, choicesOf(target))
    }),
  starForFirst: (_c, { target }, t) =>
    inCommand(t, async (scope) => {
      const first = { ...scope, principal: { ...scope.principal, participant: 1 as ParticipantId } }
      await updateStars(first, { remove: [eventOf(target)] })
      await updateStars(first, { add: [eventOf(target)] })
    }),
  removeParticipant: async (_c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await inCommand(t, (scope) => removeParticipants(scope, [id]))
  },
  forgetParticipant: async (c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await c.createTopic({ name: text, created_by: id })
    await inCommand(t, (scope) => forgetParticipant(scope, id, false))
  },
  anonymizeParticipant: async (c, { text }, t) => {
    const id = (await make.participant(t, { first_name: text })) as ParticipantId
    await c.createTopic({ name: text, created_by: id })
    await inCommand(t, (scope) => eraseParticipant(scope, id, 'keep'))
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
      await (await prepareRedeemInvitation(scope, { token }))(scope)
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
      await connectIdentity(signedIn, { issuer: 'https://login.example', subject: text, name: text })
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
} satisfies Record<string, Write>

/** Nobody but editors sees a draft. */
async function saveDrafts(scope: WriteScope, target: number, text: string): Promise<void> {
  const [published] = await loadEvents(scope.db, [eventOf(target)])
  if (published) await saveDraft(scope, published, { title: text, is_cancelled: 1 })
  const values = { title: text, date_from: null, date_to: null, room_id: null, track_id: null, is_deleted: 1 }
  await addEvent(scope, values, [])
}

/** What events refer to. */
type RelatedKind = Exclude<ProgramRecordKind, 'conference'>

function rename(kind: RelatedKind): Write {
  return (_c, { text, target }, t) =>
    inCommand(t, (scope) => updateRecord(scope, kind, idOf('event', target), { name: text }))
}

/** A record of its own, to which no event refers. */
function addAndRemove(kind: RelatedKind): Write {
  return (_c, { text }, t) =>
    inCommand(t, async (scope) => removeRecord(scope, kind, await addRecord(scope, kind, { name: text })))
}

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
    const { topic: topic_id, participant: participant_id } = await make.oneOfEach(t, nth + 1)
    // So that the first like changes something.
    await t.client.unlikeTopic({ topic_id, participant_id })
  }
}

const pixel = 'data:text/plain;base64,eA=='
const eventOf = (target: number) => idOf('event', target) as EventId

/** Any write of a random sequence. */
export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(writes) as (keyof typeof writes)[])),
  target: fc.nat(11),
  via: fc.nat(1),
  text: fc.string({ minLength: 1, maxLength: 5 }).map((text) => `${text}.`),
})
