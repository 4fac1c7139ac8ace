import { expect, test } from 'vitest'
import { signInAsOrganizer } from '../access/sessions.ts'
import { startTestApp } from '../app.ts'
import { addressesOf, pageRoutesOf } from './addresses.ts'
import { expectExactAfterWrites, withViewers } from './audience.fixtures.ts'

// The other modes, and more writes, are in the long tests.
test('in the mode public every page is that of its audience after each of two writes, and about nobody in particular', () =>
  expectExactAfterWrites('public', { writes: 2 }))

test('an address is known for every page, of which those for attendees and of accounts are some', async () => {
  await using app = await startTestApp()
  const { t } = await withViewers(app, 'open')
  const routes = await pageRoutesOf(t)
  expect(routes).toEqual(expect.arrayContaining(['/program/:date', '/sessions/:id', '/me', '/sign-in']))
  const organizer = await signInAsOrganizer(t, 'eva@summit.example', ['owner'])
  for (const route of routes) {
    const { client } = route.startsWith('/console') ? organizer : t
    expect((await addressesOf(route, client)).length, route).toBeGreaterThan(0)
  }
})
