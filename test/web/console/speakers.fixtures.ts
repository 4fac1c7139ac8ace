import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

export const speakerOf = async ({ client }: Organizer, id = 1) => (await client.getDraftSpeaker({ id })).speaker

export async function start() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  return { t, eva, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}
