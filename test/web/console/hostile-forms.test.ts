import { expect, test } from 'vitest'
import { consolePages } from '../../../src/server/http/pages/console/console-pages.ts'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

// Forms that no page of ours has.

const forms = consolePages.flatMap(({ forms = [] }) => forms.map(({ path }) => path.replaceAll(/:\w+/g, '1')))

/** Fields that would make an object, a list in a list, or a member of the prototype. */
const strange = ['title[a]', 'name[a][b][c][d]', 'events[][a]', 'was[a]', '__proto__[title]', 'note[constructor]']

test('a form with objects for texts is no form', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const { client, headers } = await signInToConsole(t)
  await client.createEvent({ title: 'Small boats' })
  await client.createSpeaker({ name: 'Ana Cruz' })
  const send = async (path: string, fields: Record<string, string>, own: Record<string, string> = headers) => {
    const body = new URLSearchParams(fields)
    const { status } = await fetch(t.url + path, { method: 'POST', redirect: 'manual', body, headers: own })
    return status
  }
  for (const path of forms)
    for (const name of strange) {
      const fields = { revision: '1', ids: '1', was: '{"title":"x","name":"x","__proto__":"x"}', [name]: 'x' }
      expect([path, name, await send(path, fields)]).not.toEqual([path, name, 500])
      // Somebody who has signed out gets it back, whatever it is.
      expect([path, name, await send(path, fields, {})]).not.toEqual([path, name, 500])
    }
  expect(await send('/console/speakers/new', { 'name[a]': 'x' })).toBe(400)
})
