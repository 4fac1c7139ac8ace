import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../access/app-with-keys.ts'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

// How organizers find their way through the console.

/** The links of a navigation on a page; none if it has no such navigation. */
async function linksIn({ open }: Organizer, path: string, name: string): Promise<string[]> {
  const { text } = await open(path)
  const [, links = ''] = new RegExp(`<nav[^>]* aria-label="${name}">(.*?)</nav>`, 's').exec(text) ?? []
  return [...links.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, label = '']) => label)
}

test('a list leads to the other lists of its tab, and the page of one record back to its list', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const { event } = await eva.client.createEvent({ title: 'Boats' })
  expect(await linksIn(eva, '/console/rooms', 'Program')).toEqual(['Sessions', 'Speakers', 'Rooms', 'Tracks'])
  for (const [path, list] of [
    ['/console/sessions/new', '/console/sessions'],
    [`/console/sessions/${event.id}`, '/console/sessions'],
    [`/console/history/${event.revision}`, '/console/history'],
  ] as const) {
    expect((await eva.open(path)).text, path).toContain(`<a class="back" href="${list}">`)
    expect(await linksIn(eva, path, 'Program'), path).toEqual([])
  }
})

test('the tab counts what is not published, also on the overview', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  await eva.client.createEvent({ title: 'Boats' })
  for (const path of ['/console', '/console/sessions'])
    expect(await linksIn(eva, path, 'Console'), path).toContain('Publish (1)')
  await eva.client.publish({})
  expect(await linksIn(eva, '/console', 'Console')).toContain('Publish')
})

test('a tab has the name of its page for those who see one only', async () => {
  await using t = await startAppWithKeys('members')
  const tom = await signInToConsole(t, 'tom@summit.example', ['reader'])
  expect(await linksIn(tom, '/console', 'Console')).toEqual(['Overview', 'Exports'])
})

test('an organizer finds the way back to the console from her own page', async () => {
  await using t = await startTestApp()
  const eva = await signInToConsole(t)
  expect((await eva.open('/me')).text).toContain('<a class="button" href="/console">')
})
