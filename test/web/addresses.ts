import type { Client } from '../../src/client/client.ts'
import { createApp } from '../../src/server/app.ts'
import { attendeePages } from '../../src/server/http/pages/attendee/mount.ts'
import { createContext } from '../../src/server/lifecycle/start/create-context.ts'
import type { TestApp } from '../app.ts'

/** What a server sends to `GET` outside the API that is no page. */
const notPages =
  /^\/(?:(?:api|docs|web|k)(?:[/*]|$)|(?:healthz|readyz|metrics|openapi\.json|sitemap\.xml|sign-in\/oidc.*)$)/

/** The routes of all pages of a server, as it mounts them. */
export async function pageRoutesOf({ ctx }: Pick<TestApp, 'ctx'>): Promise<string[]> {
  const own = await createContext(ctx.config)
  const app = await createApp(own)
  const tree = app.printRoutes({ commonPrefix: false, method: 'GET' })
  await app.close()
  await own.close()
  return routesIn(tree).filter((route) => !notPages.test(route))
}

/** The routes of a tree that Fastify prints: each line has the rest of a path, deeper ones further to the right. */
export function routesIn(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S+)( \(.*\))?$/.exec(line) ?? []
    if (indent === undefined || part === undefined) return []
    parts.splice(indent.length / 4, parts.length, part)
    return methods ? [parts.join('')] : []
  })
}

/** Whether all of an audience see the page alike; others are for one person, or to sign in. */
export const isAttendeePage = (route: string): boolean => attendeePages.some(({ path }) => path === route)

type Values = (client: Client) => Promise<readonly string[]>

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id)

/** The values of the parameter in a route, from what a client reads. */
const valuesOf: Readonly<Record<string, Values>> = {
  '/program/:date': async (client) => (await client.getSchedule({})).schedule.days.map(({ date }) => date),
  '/sessions/:id': async (client) => idsOf((await client.getSchedule({})).schedule.events),
  '/speakers/:id': async (client) => idsOf((await client.getSchedule({})).schedule.speakers),
  '/console/speakers/:id': async (client) => idsOf((await client.getSchedule({})).schedule.speakers),
  '/console/speakers/:id/erase': async (client) => idsOf((await client.getSchedule({})).schedule.speakers),
  '/feed/:id': async (client) => idsOf((await client.readFeed({ offset: 0, limit: 1_000 })).posts),
  '/console/sessions/:id': async (client) => idsOf((await client.getDraft({})).draft.events),
  '/console/sessions/:id/move': async (client) => idsOf((await client.getDraft({})).draft.events),
  '/console/sessions/:id/cancel': async (client) => idsOf((await client.getDraft({})).draft.events),
  '/console/history/:id': async (client) => idsOf((await client.listRevisions({ offset: 0, limit: 100 })).revisions),
  '/people/:id': async (client) => idsOf((await client.listParticipants({ offset: 0, limit: 1_000 })).participants),
}

/** A value of each query parameter; others get a word. */
const queryValues: Readonly<Record<string, string>> = {
  from: '1',
  track: '1',
  room: '1',
  language: 'en',
  sessions: '1,2',
}

/**
 * The addresses of a page: one for each record that a client reads, and one with each query parameter.
 * @throws Error if none is known
 */
export async function addressesOf(route: string, client: Client, ofEach = Number.POSITIVE_INFINITY): Promise<string[]> {
  const read = valuesOf[route]
  const paths = read
    ? (await read(client)).slice(0, ofEach).map((value) => route.replace(/:\w+/, value))
    : route.includes(':')
      ? []
      : [route]
  const [first] = paths
  if (first === undefined) throw new Error(`No address is known for the page ${route}: see valuesOf in this file.`)
  const { query = [] } = attendeePages.find(({ path }) => path === route) ?? {}
  return [...paths, ...query.map((name) => `${first}?${name}=${queryValues[name] ?? 'a'}`)]
}

/** All addresses of these routes. */
export const allAddresses = async (routes: readonly string[], client: Client, ofEach?: number): Promise<string[]> =>
  (await Promise.all(routes.map((route) => addressesOf(route, client, ofEach)))).flat()
