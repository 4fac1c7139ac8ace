import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { addRecord } from '../../src/server/domains/program/records.ts'
import { type AppWithKeys, startAppWithKeys } from '../access/app-with-keys.ts'
import { signInAsParticipant } from '../access/sessions.ts'
import { inCommand } from '../in-command.ts'
import { addConference, minutes, readPage } from './read-page.ts'

/** A program with one session, and functions that change it and publish. */
async function startPublished(access: 'public' | 'members' = 'public') {
  const t = await startAppWithKeys(access)
  await addConference(t)
  await inCommand(t, async (scope) => {
    for (const name of ['Hall 1', 'Hall 2']) await addRecord(scope, 'room', { name, building: null })
  })
  const { client } = await t.issueKey({ roles: ['editor'] })
  const slot = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00', room_id: 1 }
  const id = Number((await client.createEvent({ title: 'Small boats', ...slot })).event.id)
  await client.publish({ note: 'Welcome' })
  const change = async (values: Omit<Parameters<Client['updateEvent']>[0], 'id' | 'revision'>, note = '') => {
    t.advance(minutes(1))
    const { event } = await client.getDraftEvent({ id })
    await client.updateEvent({ id, revision: event.revision, ...values })
    return Number((await client.publish({ note })).revision_id)
  }
  return { ...t, client, change }
}

const words = async (t: AppWithKeys, path = '/releases') => (await readPage(t, path)).words

test('attendees read what has changed, newest first, with a link to each session', async () => {
  await using t = await startPublished()
  await t.change({ room_id: 2 }, 'Hall 1 <leaks>')
  await t.change({ starts_at: '2030-05-02 11:00', ends_at: '2030-05-02 12:00' })
  await t.change({ ends_at: '2030-05-02 12:30' })
  await t.change({ starts_at: '2030-05-03 09:00', ends_at: '2030-05-03 10:00', room_id: 1 })
  await t.change({ title: 'Large boats', is_cancelled: true })
  expect(await words(t)).toBe(
    'Changes of the program Subscribe with a feed reader ' +
      'Wednesday, 1 May 2030, 11:05 Cancelled New title Large boats ' +
      'Wednesday, 1 May 2030, 11:04 Moved Large boats Thu 11:00, Hall 2 → Fri 09:00, Hall 1 ' +
      'Wednesday, 1 May 2030, 11:03 Moved Large boats Thu 11:00–12:00 → Thu 11:00–12:30 ' +
      'Wednesday, 1 May 2030, 11:02 Moved Large boats Thu 09:00 → Thu 11:00 ' +
      'Wednesday, 1 May 2030, 11:01 Hall 1 <leaks> Moved Large boats Thu 09:00, Hall 1 → Hall 2 ' +
      'Wednesday, 1 May 2030, 11:00 Welcome The program is out.',
  )
  expect((await readPage(t, '/releases')).text).toContain('<a href="/sessions/1" dir="auto">Large boats</a>')
})

test('a release that was undone says so', async () => {
  await using t = await startPublished()
  const revision = await t.change({ starts_at: '2030-05-03 14:00' }, 'By mistake')
  await t.client.undoRevision({ id: revision })
  const page = await words(t)
  expect(page).toContain('Taken back later. Moved Small boats Thu 09:00 → Fri 14:00')
  expect(page).not.toContain('By mistake')
})

test('there are 20 on a page, with links to those before and after', async () => {
  await using t = await startPublished()
  for (let n = 1; n <= 20; n++) await t.change({ title: `Boat ${n}` })
  const first = await readPage(t, '/releases')
  expect(first.text.match(/class="release"/g)).toHaveLength(20)
  expect(first.text).toContain('href="/releases?from=20"')
  expect(first.words).not.toContain('Newer')
  const second = await readPage(t, '/releases?from=20')
  expect(second.words).toContain('Welcome The program is out. Newer changes')
  expect(second.text).toContain('<a class="button" href="/releases">Newer changes</a>')
  expect(second.words).not.toContain('Older')
  for (const from of ['x', '-1', '1e3', '']) expect(await words(t, `/releases?from=${from}`)).toBe(first.words)
  expect(await words(t, '/releases?from=999999999')).toContain('Nothing has changed')
})

test('it is cached until something changes, and not for search engines', async () => {
  await using t = await startPublished()
  const { headers } = await readPage(t, '/releases')
  const etag = headers.get('etag') ?? ''
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect((await readPage(t, '/releases', { 'if-none-match': etag })).status).toBe(304)
  await t.change({ title: 'Large boats' })
  expect((await readPage(t, '/releases', { 'if-none-match': etag })).status).toBe(200)
})

test('where ACCESS is members, participants read it, without the link to a feed that asks for a key', async () => {
  await using t = await startPublished('members')
  expect((await readPage(t, '/releases')).location).toBe('/sign-in?next=%2Freleases')
  const { headers } = await signInAsParticipant(t, t.ana.participant)
  const page = await readPage(t, '/releases', headers)
  expect(page.words).toContain('The program is out.')
  expect(page.words).not.toContain('feed reader')
  expect(page.headers.get('cache-control')).toBe('private, no-cache')
})

test('a summit without a program has no changes', async () => {
  await using t = await startAppWithKeys('public')
  expect(await words(t)).toContain('Nothing has changed')
})
