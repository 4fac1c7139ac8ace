import { startAppWithKeys } from '../../access/app-with-keys.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

export const path = '/console/import/participants'

export const plan = 'Show what it would change'

export async function start() {
  const t = await startAppWithKeys('members')
  await addConference(t)
  const dora = await signInToConsole(t, 'dora@summit.example', ['desk'])
  const names = async () => {
    const { participants } = await t.owner.client.listParticipants({ offset: 0, limit: 100 })
    return participants.map(({ full_name }) => full_name)
  }
  return { ...t, dora, names }
}
