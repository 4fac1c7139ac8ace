import fc from 'fast-check'
import { createAuthenticator } from '../../../test/access/software-authenticator.ts'
import type { TestApp } from '../../../test/app.ts'
import { inCommand } from '../../../test/in-command.ts'
import * as make from '../../../test/make.ts'
import type { Client } from '../../client/client.ts'
import type { SpecifiedWriteName } from '../../contract/index.ts'
import { revokeCredential } from '../access/credentials.ts'
import { createKey } from '../access/keys.ts'
import { rotateMediaKeys } from '../access/media-keys.ts'
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
import { removeParticipants } from '../participants/stored-participants.ts'
import { register, removePasskey, startRegistration } from '../passkeys/passkeys.ts'
import { eraseParticipant } from '../privacy/erase.ts'
import { cancelEvent, updateEvent } from '../program/events.ts'
import { loadEvents, removeEvent } from '../program/stored-events.ts'
import type { WriteScope } from '../scope.ts'
import { prepareRedemption } from '../sign-in/sign-in.ts'

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
    await t.client.addFeedback({ created_by: nth + 1, comments: 'Loved it.' })
  }
}

const pixel = 'data:text/plain;base64,eA=='
const eventOf = (target: number) => (1 + (target % 2)) as EventId

/** Any write of a random sequence. */
export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(writes) as (keyof typeof writes)[])),
  target: fc.nat(11),
  via: fc.nat(1),
  text: fc.string({ minLength: 1, maxLength: 5 }).map((text) => `${text}.`),
})
