import { type Client, createClient } from '../../src/client/client.ts'
import { initializeSummit } from '../../src/demo/initialize.ts'
import { createKey } from '../../src/server/auth/keys.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { noParticipant } from '../../src/server/core/ids.ts'
import { signInAsOrganizer, signInAsParticipant } from '../access/sessions.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { browserSettings } from '../browser.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { addressesOf, isAttendeePage, pageRoutesOf } from './addresses.ts'

export interface SiteOptions {
  mode: 'open' | 'public' | 'members'
  content: 'sample' | 'empty'
  settings?: Record<string, string>
}

/** A summit whose pages work in a browser. */
export interface Site extends TestApp {
  /** Reads everything, as an owner does. */
  reader: Client
  /** The headers of the first participant, who has signed in; none where no participant does. */
  participant: Record<string, string>
  organizer: Record<string, string>
  isEmpty: boolean
}

/** Every way to sign in is on the page. Nobody listens at port 1. */
const everyWay = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'summit@summit.example',
  OIDC_ISSUER: 'https://127.0.0.1:1',
  OIDC_CLIENT_ID: 'summit',
  OIDC_CLIENT_SECRET: 'secret',
}

/** Starts a summit with the sample, or with nothing but a participant. */
export async function startSite({ mode, content, settings = {} }: SiteOptions): Promise<Site> {
  const atLocalhost = await browserSettings()
  const t = await startTestApp({ ACCESS: mode, ...everyWay, ...atLocalhost, ...settings })
  await initializeSummit(t.ctx, content)
  const key = { label: 'test', participant: noParticipant, roles: ['owner'], expiresAt: 0 } as const
  const { secret } = await inCommand(t, (scope) => createKey(scope, key))
  const reader = mode === 'open' ? t.client : createClient(t.url, { headers: { authorization: `Bearer ${secret}` } })
  // Somebody has to sign in.
  if (content === 'empty') await make.participant(t)
  const first = make.only((await reader.listParticipants({ offset: 0, limit: 1 })).participants)
  const { headers: organizer } = await signInAsOrganizer(t, 'eva@organizers.example', ['owner'])
  if (content === 'sample') await editSessions(createClient(t.url, { headers: organizer }))
  const participant = mode === 'open' ? {} : (await signInAsParticipant(t, Number(first.id) as ParticipantId)).headers
  return { ...t, url: atLocalhost.PUBLIC_URL, reader, participant, organizer, isEmpty: content === 'empty' }
}

/** Leaves one session of each state that is not published: new, moved onto another, cancelled and removed. */
async function editSessions(client: Client): Promise<void> {
  const { events } = (await client.getDraft({})).draft
  const [moved, other, cancelled, removed] = events.filter(({ room_id, is_cancelled }) => room_id && !is_cancelled)
  if (!moved || !other || !cancelled || !removed) throw new Error('the sample has too few sessions')
  const { starts_at, ends_at, room_id } = other
  const slot = {
    starts_at: starts_at?.slice(0, 16) ?? '',
    ends_at: ends_at?.slice(0, 16) ?? '',
    room_id: Number(room_id),
  }
  await client.updateEvent({ id: Number(moved.id), revision: moved.revision, ...slot })
  await client.updateEvent({ id: Number(cancelled.id), revision: cancelled.revision, is_cancelled: true })
  await client.deleteEvent({ id: Number(removed.id), revision: removed.revision })
  await client.createEvent({ title: 'Without a time' })
}

/** Addresses where there is nothing. */
export const failingPaths = ['/nothing', '/sessions/999999', '/program/1999-01-01']

/** A page, and the headers with which somebody sees it. */
export interface Address {
  route: string
  path: string
  headers: Record<string, string>
}

/**
 * The addresses of all pages: those for attendees as participants or visitors see them, accounts as an organizer does.
 * @param ofEach how many records at most, of each route
 */
export async function siteAddresses(
  site: Site,
  ofEach: (route: string) => number = () => Number.POSITIVE_INFINITY,
): Promise<Address[]> {
  const addresses: Address[] = []
  for (const route of await pageRoutesOf(site)) {
    const headers = isAttendeePage(route) ? site.participant : site.organizer
    // A summit without content has no page of a record.
    const client = route.startsWith('/console') ? createClient(site.url, { headers: site.organizer }) : site.reader
    const paths = await addressesOf(route, client, ofEach(route)).catch((error) => {
      if (site.isEmpty) return []
      throw error
    })
    for (const path of paths) addresses.push({ route, path, headers })
  }
  return addresses
}
