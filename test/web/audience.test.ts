import { expect, test } from 'vitest'
import { signInAsOrganizer } from '../access/sessions.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { addressesOf, pageRoutesOf } from './addresses.ts'
import {
  expectExactAfterWrites,
  expectExactPages,
  PageReader,
  type Servers,
  startServers,
  withViewers,
} from './audience.fixtures.ts'

// The other modes, and more writes, are in the long tests.
test(
  'in the mode public every page is that of its audience after each of two writes, and about nobody in particular',
  { timeout: 60_000 },
  () => expectExactAfterWrites('public', { writes: 2 }),
)

/** The moments around the start and the end of the first session, and of midnight before. */
const moments = ['2030-05-01T23:59:59.999Z', '2030-05-02T00:00:00Z', '2030-05-02T08:59:59.999Z'].concat([
  '2030-05-02T09:00:00Z',
  '2030-05-02T09:59:59.999Z',
  '2030-05-02T10:00:00Z',
  '2030-05-03T00:00:00Z',
])

/** What is on a page at each of these moments, which all servers agree about. */
async function readAtEachMoment(servers: Servers, path: string): Promise<string[]> {
  const reader = new PageReader()
  const [url = ''] = servers.cached
  const texts: string[] = []
  for (const moment of moments) {
    servers.t.setClock(Date.parse(moment) - servers.t.ctx.clock())
    await expectExactPages(servers, reader)
    texts.push((await reader.read(url, path, { name: 'somebody', headers: {} })).text)
  }
  return texts
}

test('when a session begins or ends, and at midnight, pages of the program are what they would be without a cache', async () => {
  await using all = await startServers('public')
  const servers = { ...all, paths: all.paths.filter((path) => /^\/(?:$|program|sessions)/.test(path)) }
  // The other events have parts, of which nobody knows when they end.
  await make.event(servers.t, { title: 'Keynote' })
  const texts = await readAtEachMoment(servers, '/')
  const [, , before, during, , after] = texts
  expect(during, 'the first page during a session').not.toBe(before)
  expect(after, 'the first page after it').not.toBe(during)
})

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
