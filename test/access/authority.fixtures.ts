import type { Client } from '../../src/client/client.ts'
import type { AppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInWith, tokenOf } from './sessions.ts'

export const day = 24 * 60 * 60 * 1000

/** The desk invites Ana, and signs in with the link itself. */
export async function signInAsAnaFromDesk(t: AppWithKeys) {
  const desk = await signInAsOrganizer(t, 'desk@summit.example', ['desk'])
  const { invitation } = await desk.client.inviteParticipant({ participantId: t.ana.participant })
  return { desk, session: await signInWith(t.url, tokenOf({ invitation })) }
}

export const erase = async ({ client }: { client: Client }, participant_id: number) =>
  (await client.call('eraseOwnData', { participant_id })).envelope
