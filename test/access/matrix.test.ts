import { expect, test } from 'vitest'
import type { Access } from '../../src/contract/access.ts'
import { type OperationName, operationsIn } from '../../src/contract/index.ts'
import { declareMatrixTests } from './declare-matrix-tests.ts'

declareMatrixTests('public', { isExhaustive: false })

// The matrix derives what it expects from these rules, so that none of them may change by accident.
test('who may use each operation is decided here, too', () => {
  const decided: Record<OperationName, Access> = {
    listTopics: { readers: 'anyone' },
    createTopic: { role: 'moderator', actor: ['created_by'] },
    getTopic: { readers: 'anyone' },
    updateTopic: { role: 'moderator', actor: ['updated_by'], changesOwn: true },
    deleteTopic: { role: 'moderator', changesOwn: true },
    likeTopic: { role: 'moderator', actor: ['created_by'] },
    unlikeTopic: { role: 'moderator', actor: ['participant_id'] },
    listComments: { readers: 'anyone' },
    createComment: { role: 'moderator', actor: ['created_by'] },
    getComment: { readers: 'anyone' },
    updateComment: { role: 'moderator', actor: ['updated_by'], changesOwn: true },
    deleteComment: { role: 'moderator', changesOwn: true },
    readFile: { readers: 'anyone' },
    deleteFile: { role: 'moderator', changesOwn: true },
    listEvents: { readers: 'anyone' },
    getEvent: { readers: 'anyone' },
    readBanner: { readers: 'anyone' },
    readPhoto: { readers: 'anyone' },
    listFeedback: { readers: 'authors' },
    listFeedbackOfParticipant: { readers: 'authors' },
    addFeedback: { role: 'moderator', actor: ['participant_id', 'created_by'] },
    listParticipants: { readers: 'participants' },
    readParticipantPhoto: { readers: 'anyone' },
    updateParticipant: { role: 'editor', changesOwn: true },
    getMe: { own: true, atAddress: true },
    updateMe: { own: true },
    exportOwnData: { own: true },
    planErasure: { own: true },
    eraseOwnData: { own: true },
    updateSharing: { own: true },
    signOut: { signIn: true },
    listCredentials: { own: true },
    revokeCredential: { own: true },
    disconnectIdentity: { own: true },
    requestLoginEmailChange: { own: true },
    changeLoginEmail: { own: true },
    startPasskeyRegistration: { own: true, session: 'organizer' },
    registerPasskey: { own: true, session: 'organizer' },
    removePasskey: { own: true, session: 'organizer' },
    redeemInvitation: { signIn: true },
    startPasskeySignIn: { signIn: true },
    signInWithPasskey: { signIn: true },
    requestSignInCode: { signIn: true },
    redeemSignInCode: { signIn: true },
    listOrganizers: { organizers: 'owner' },
    inviteOrganizer: { organizers: 'owner' },
    changeOrganizerRoles: { organizers: 'owner' },
    removeOrganizer: { organizers: 'owner' },
    inviteParticipant: { organizers: 'desk' },
    setLoginEmail: { organizers: 'desk' },
    listChanges: { organizers: 'owner' },
  }
  expect(Object.fromEntries(operationsIn('members').map(([name, { access }]) => [name, access]))).toEqual(decided)
})
