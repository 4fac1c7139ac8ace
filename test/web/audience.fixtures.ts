import fc from 'fast-check'
import { expect } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { attendeePages } from '../../src/server/http/pages/attendee/mount.ts'
import { addRecords, type Step, step, writes } from '../../src/server/http/random-writes.fixtures.ts'
import { publicUrl, withKeys } from '../access/app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from '../access/sessions.ts'
import { startOtherServer, startTestApp, type TestApp } from '../app.ts'
import { allAddresses } from './addresses.ts'

/** The modes of access. */
export const modes = ['open', 'public', 'members'] as const
export type Mode = (typeof modes)[number]

/** Somebody who looks at pages; those of an audience see the same. */
export interface PageViewer {
  name: string
  headers: Record<string, string>
}

/** Of nobody else, and shown on no page of attendees. */
const organizersAddress = 'eva@organizers.example'

/** An app with records of every kind, whose client may write all of them, and people who look at its pages. */
export async function withViewers(app: TestApp, mode: Mode): Promise<{ t: TestApp; viewers: PageViewer[] }> {
  const visitor = { name: 'a visitor', headers: {} }
  const organizer = async (t: TestApp) => {
    const { headers } = await signInAsOrganizer(t, organizersAddress, ['owner'])
    return { name: 'an organizer', headers }
  }
  if (mode === 'open') {
    await addRecords(app)
    return { t: app, viewers: [visitor, await organizer(app)] }
  }
  const { ana, ben, owner, ...rest } = await withKeys(app)
  const t = { ...rest, client: owner.client }
  await addRecords(t)
  const participant = async (name: string, id: ParticipantId) => {
    const { headers } = await signInAsParticipant(t, id)
    return { name, headers }
  }
  const viewers = [
    visitor,
    await participant('Ana', ana.participant),
    await participant('Ben', ben.participant),
    await organizer(t),
  ]
  return { t, viewers }
}

interface Seen {
  status: number
  text: string
  etag: string | undefined
  location: string | null
}

const variants = [{ 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip' }]

/** Looks at pages again and again as browsers do, which ask whether the page that they have is still the current one. */
export class PageReader {
  readonly #known = new Map<string, Seen>()
  #count = 0

  async read(url: string, path: string, { name, headers }: PageViewer): Promise<Seen> {
    const key = `${name} ${url} ${path}`
    const known = this.#known.get(key)
    this.#count += 1
    const response = await fetch(url + path, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...headers,
        ...variants[this.#count % variants.length],
        ...(known?.etag && { 'if-none-match': known.etag }),
      },
    })
    // Only what sends somebody to sign in takes the cookie of a session back that has ended.
    const isEnded = response.status === 303 && response.headers.get('location')?.startsWith('/sign-in?')
    const cookies = response.headers.getSetCookie().filter((cookie) => !(isEnded && cookie.includes('Max-Age=0')))
    if (cookies.length > 0) throw new Error(`${path} sets a cookie`)
    const text = await response.text()
    if (response.status === 304 && known) return known
    const etag = response.headers.get('etag') ?? undefined
    const seen = { status: response.status, text, etag, location: response.headers.get('location') }
    this.#known.set(key, seen)
    return seen
  }
}

/** What is about one person: secrets, and the addresses of those who are shown nowhere. */
export function expectNothingPersonal(text: string, viewers: readonly PageViewer[], path: string): void {
  const secrets = viewers.flatMap(({ headers }) => headers.cookie?.replace(/^[^=]*=/, '') ?? [])
  for (const secret of [...secrets, 'smt_', organizersAddress])
    expect(text.includes(secret), `${secret} in ${path}`).toBe(false)
}

/** Failures name their request, which is another for each. */
const withoutReference = (text: string): string =>
  text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'reference')

const comparable = ({ status, text, location }: Seen) => ({ status, location, text: withoutReference(text) })

export interface Servers {
  /** Whose client may write everything. */
  t: TestApp
  viewers: PageViewer[]
  /** The URLs of servers with a cache, and of one without. */
  cached: string[]
  uncached: string
  paths: string[]
}

/** Whether somebody who has signed in sees their own stars there; such a page is never cached. */
const isPersonal = (path: string): boolean =>
  attendeePages.some(({ path: route, showsStars }) => showsStars && path.split('?')[0] === route)

/** Compares what every viewer sees on every server. */
export async function expectExactPages(servers: Servers, reader: PageReader): Promise<void> {
  const { viewers, cached, uncached, paths } = servers
  for (const path of paths) {
    const expected = await Promise.all(viewers.map((viewer) => reader.read(uncached, path, viewer)))
    await Promise.all(
      viewers.map(async (viewer, index) => {
        const exact = expected[index]
        if (!exact) return
        for (const url of cached) {
          const seen = await reader.read(url, path, viewer)
          expect(comparable(seen), `${path} for ${viewer.name}`).toEqual(comparable(exact))
        }
        if (exact.status === 200) expectNothingPersonal(exact.text, viewers, path)
      }),
    )
    if (isPersonal(path)) continue
    const bytesOf = (name: string) => expected[viewers.findIndex((viewer) => viewer.name === name)]?.text
    expect(bytesOf('Ana'), `${path} for Ana and Ben`).toBe(bytesOf('Ben'))
  }
}

/** Starts two servers with a cache and one without, all on the same data and clock. */
export async function startServers(mode: Mode): Promise<Servers & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const app = stack.use(await startTestApp({ ACCESS: mode, PUBLIC_URL: publicUrl }))
  const { t, viewers } = await withViewers(app, mode)
  const one = stack.use(await startOtherServer(t))
  const other = stack.use(await startOtherServer(t))
  const uncached = stack.use(await startOtherServer(t, { pageCacheBytes: 0 }))
  const routes = attendeePages.map(({ path }) => path)
  const paths = await allAddresses(routes, t.client, 2)
  const disposal = stack.move()
  return {
    t,
    viewers,
    cached: [one.url, other.url],
    uncached: uncached.url,
    paths,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

/** How long nothing happens after a write: most often not long enough for a session to begin or end. */
const pauses = fc.constantFrom(1, 700, 700, 60_000, 3_600_000, 11 * 3_600_000)

/** A write, and the time that passes after it. */
export const timedStep = fc.record({ write: step, pause: pauses })

const execute = ({ t }: Servers, write: Step): Promise<unknown> =>
  // Writes of records that do not exist fail.
  Promise.resolve(writes[write.kind](t.client, write, t)).catch(() => {})

/** Random writes, after each of which every page is what it would be without a cache. */
export async function expectExactAfterWrites(mode: Mode, { writes: count }: { writes: number }): Promise<void> {
  const sequences = fc.array(timedStep, { minLength: count, maxLength: count })
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      await using servers = await startServers(mode)
      const reader = new PageReader()
      await expectExactPages(servers, reader)
      for (const { write, pause } of sequence) {
        await execute(servers, write)
        servers.t.advance(pause)
        await expectExactPages(servers, reader)
      }
    }),
    // No shrinking on failure: it would take minutes, and the printed seed replays the run.
    { numRuns: 1, endOnFailure: true },
  )
}
