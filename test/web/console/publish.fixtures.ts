import { addRecord } from '../../../src/server/domains/program/records.ts'
import { startTestApp } from '../../app.ts'
import { inCommand } from '../../in-command.ts'
import { addConference, readPage } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

/** A program of two published sessions, and Eva, who edits it. */
export async function startPublished() {
  const t = await startTestApp()
  await addConference(t)
  await inCommand(t, async (scope) => {
    for (const name of ['Hall', 'Forum']) await addRecord(scope, 'room', { name, building: null })
    await addRecord(scope, 'speaker', { name: 'Ana Cruz' })
  })
  const eva = await signInToConsole(t)
  const { client } = eva
  const add = async (title: string, hour = '09') => {
    const slot = { starts_at: `2030-05-02 ${hour}:00`, ends_at: `2030-05-02 ${hour}:45`, room_id: 1 }
    return Number((await client.createEvent({ title, ...slot })).event.id)
  }
  const change = async (id: number, values: Omit<Parameters<typeof client.updateEvent>[0], 'id' | 'revision'>) => {
    const { revision } = (await client.getDraftEvent({ id })).event
    await client.updateEvent({ id, revision, ...values })
  }
  const [boats, knots] = [await add('Small boats'), await add('Knots', '11')]
  await client.publish({})
  const releases = async () => (await readPage(t, '/releases')).words
  return {
    ...t,
    eva,
    client,
    add,
    change,
    boats,
    knots,
    releases,
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  }
}

/** What the preview says. */
export const previewIn = (words: string): string =>
  /What attendees will read (.*?) Of the sessions/.exec(words)?.[1] ?? ''
