import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import type { EventId } from '../../core/ids.ts'
import { cancelEvent } from '../program/events.ts'

const path = '/api/me/calendar.ics'

/** The titles in a calendar. */
const titlesIn = (text: string): string[] =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((event) => String(event.getFirstPropertyValue('summary')))

/** Three events: one that Ana has starred, one that Ben has, and one without a time that both have. */
async function startWithStars() {
  const t = await startAppWithKeys('members')
  for (const title of ['Opening', 'Small boats']) await make.event(t, { title })
  await make.event(t, { title: 'Some time', date_from: null, date_to: null })
  await t.ana.client.updateStars({ add: [1, 3] })
  await t.ben.client.updateStars({ add: [2, 3] })
  return t
}

test('participants read what they have starred as a calendar, also at a secret URL of their own', async () => {
  await using t = await startWithStars()
  const url = await t.issuePersonalUrl(t.ana.participant)
  for (const { prefix, headers } of [t.ana, url]) {
    const response = await fetch(t.url + prefix + path, { headers })
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('filename="calendar.ics"')
    // The next one to use this browser may be somebody else.
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const text = await response.text()
    expect(titlesIn(text)).toEqual(['Opening'])
    expect(text).toContain('X-WR-CALNAME:My sessions')
    expect(text).not.toContain('/k/')
  }
  expect(titlesIn(await (await t.ben.client.readOwnCalendar({})).text())).toEqual(['Small boats'])
})

test('a calendar is sent again only if a star or the program has changed', async () => {
  await using t = await startWithStars()
  const { prefix } = await t.issuePersonalUrl(t.ana.participant)
  let etag = ''
  const read = async () => {
    const response = await fetch(t.url + prefix + path, { headers: { 'if-none-match': etag } })
    etag = response.headers.get('etag') ?? ''
    return response.status === 304 ? 'unchanged' : response.text()
  }
  expect(titlesIn(await read())).toEqual(['Opening'])
  t.advance(60_000)
  expect(await read()).toBe('unchanged')
  await t.ana.client.updateStars({ add: [2] })
  expect(titlesIn(await read())).toEqual(['Opening', 'Small boats'])
  await inCommand(t, (scope) => cancelEvent(scope, 2 as EventId))
  expect(await read()).toContain('STATUS:CANCELLED')
  await t.ana.client.updateStars({ remove: [1, 2] })
  expect(titlesIn(await read())).toEqual([])
  expect(await read()).toBe('unchanged')
  const head = await fetch(t.url + prefix + path, { method: 'HEAD' })
  expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
})

test('a calendar is for its participant: not for a visitor, an app, an organizer, nor by the key of links', async () => {
  await using t = await startWithStars()
  await make.event(t, { banner: 'program/1/banner.png' })
  const key = new URL((await t.ana.client.listEvents({ offset: 0, limit: 1 })).events[0]?.imageUrl ?? '').search
  const app = await t.issueAppUrl('change')
  for (const [sender, reason] of [
    [{ prefix: '', headers: {} }, 'UNAUTHENTICATED'],
    [{ prefix: '', headers: {}, key }, 'UNAUTHENTICATED'],
    [app, 'FORBIDDEN'],
    [t.owner, 'PARTICIPANT_NOT_FOUND'],
  ] as const) {
    const search = 'key' in sender ? sender.key : ''
    const response = await make.send(t, 'GET', sender.prefix + path + search, undefined, sender.headers)
    expect(response.data).toMatchObject({ reason })
  }
})

test('at a secret URL, stars are neither read nor changed but in the calendar', async () => {
  await using t = await startWithStars()
  const { client } = await t.issuePersonalUrl(t.ana.participant)
  for (const response of [client.call('listStars', {}), client.call('updateStars', { add: [2] })])
    expect((await response).envelope).toMatchObject({ data: { reason: 'FORBIDDEN' } })
})
