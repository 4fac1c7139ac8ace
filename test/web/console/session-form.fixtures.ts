import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

/** A summit with rooms, speakers, and an organizer. */
export async function start() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  await eva.client.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }, { name: 'Hall 2' }] })
  await eva.client.setTracks({ revision: 0, tracks: [{ name: 'Hardware' }] })
  for (const name of ['Ana Cruz', 'José Álvarez', 'Kim', 'Kim']) await eva.client.createSpeaker({ name })
  return Object.assign(t, { eva })
}

/** @returns the id of a session that attendees see */
export async function published({ client }: Organizer, members: Parameters<Organizer['client']['createEvent']>[0]) {
  const id = Number((await client.createEvent(members)).event.id)
  await client.publish({ events: [id] })
  return id
}

export const draftOf = async ({ client }: Organizer, id: number) => (await client.getDraftEvent({ id })).event
