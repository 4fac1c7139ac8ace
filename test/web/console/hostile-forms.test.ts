import { type ClientRequest, request } from 'node:http'
import { expect, test } from 'vitest'
import { consolePages } from '../../../src/server/http/pages/console/console-pages.ts'
import { differenceLine, forPage } from '../../../src/server/http/pages/console/import-parts.ts'
import { startTestApp } from '../../app.ts'
import { requestText, sendRaw } from '../../http/raw-requests.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

// Forms that no page of ours has.

const forms = consolePages.flatMap(({ forms = [] }) => forms.map(({ path }) => path.replaceAll(/:\w+/g, '1')))

/** Fields that would make an object, a list in a list, or a member of the prototype. */
const strange = [
  'title[a]',
  'name[a][b][c][d]',
  'events[][a]',
  'was[a]',
  '__proto__[title]',
  '__proto__',
  'note[constructor]',
]

test('a form has no objects, but fields that no page has', async () => {
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
  expect(await send('/console/speakers/new', { 'name[a]': 'x' })).toBe(422)
})

test('a form as JSON is read like any other, and has no objects either', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const { client, headers } = await signInToConsole(t)
  await client.createEvent({ title: 'Small boats' })
  await client.createSpeaker({ name: 'Ana Cruz' })
  const send = async (path: string, fields: Record<string, unknown>) => {
    const init = {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'content-type': 'application/json' },
    } as const
    return (await fetch(t.url + path, { ...init, body: JSON.stringify(fields) })).status
  }
  // No text can be made of it.
  const strange = { toString: 1, valueOf: 1 }
  const names = ['title', 'name', 'events', 'was', 'ids', 'note', 'hash', 'next', 'only', 'draft', 'revision']
  for (const path of forms)
    expect([path, await send(path, Object.fromEntries(names.map((name) => [name, strange])))]).not.toEqual([path, 500])
  expect(await send('/console/speakers/new', { name: strange })).toBe(400)
  expect(await send('/console/speakers/new', { name: 'Ben Day' })).toBe(303)
})

test('what somebody has typed is shown to them where another has deleted the record meanwhile', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const { event } = await eva.client.createEvent({ title: 'Small boats' })
  const session = await eva.open('/console/sessions/1')
  await eva.client.deleteEvent({ id: 1, revision: event.revision })
  const gone = await eva.submit(session, 'Save', { description: 'All about <b>sails</b>', subtitle: '' })
  expect(gone.status).toBe(404)
  expect(gone.words).toContain('This was deleted while you changed it')
  expect(gone.words).toContain('Description All about <b>sails</b>')

  const { speaker } = await eva.client.createSpeaker({ name: 'Ana Cruz' })
  const page = await eva.open('/console/speakers/1')
  await eva.client.deleteSpeaker({ id: 1, revision: speaker.revision })
  const erased = await eva.submit(page, 'Save', { company: 'Harbour & Sons' })
  expect(erased.words).toContain('Company Harbour & Sons')
  expect(erased.words).not.toContain('Ana Cruz')
})

test('a form that is too large says so to its sender', async () => {
  await using t = await startTestApp()
  const { headers } = await signInToConsole(t)
  const sent = { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '9000000' }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  const response = await sendRaw(t, requestText('POST', '/console/settings', lines))
  expect(response).toMatchObject([{ status: 413, body: expect.stringContaining('The request is too large') }])
})

test('forms of ten thousand fields are read in time that grows with their number, and larger ones are not', async () => {
  await using t = await startTestApp()
  const { headers } = await signInToConsole(t)
  const send = async (count: number, nameOf: (n: number) => string) => {
    const fields = Array.from({ length: count }, (_, n) => `${nameOf(n)}=x`)
    const body = ['name=Ana+Cruz', ...fields].join('&')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', redirect: 'manual', headers: { ...headers, ...type }, body } as const
    return (await fetch(`${t.url}/console/speakers/new`, init)).status
  }
  // With lists and objects, some of these take ten seconds.
  const started = performance.now()
  for (const nameOf of [
    (n: number) => `r[${n}]`,
    (n: number) => `r[${n * 97}][a]`,
    (n: number) => (n % 2 ? `r[${n}]` : 'r'),
    () => 'r[]',
    () => 'r',
    () => `r${'['.repeat(80)}`,
  ])
    expect(await send(9_999, nameOf)).toBe(303)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(await send(10_000, (n) => `r${n}`)).toBe(413)
})

test('long texts take no time to read', async () => {
  await using t = await startTestApp()
  const { client, headers } = await signInToConsole(t)
  await client.createEvent({ title: 'Small boats' })
  const started = performance.now()
  // Its words are looked through once. With an expression, this takes minutes.
  const body = new URLSearchParams({ revision: '1', was: '{"links":"x"}', links: `${'a'.repeat(300_000)} b` })
  const { status } = await fetch(`${t.url}/console/sessions/1`, { method: 'POST', redirect: 'manual', body, headers })
  expect(status).toBe(422)
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('whoever was signed out before they sent a file is told so, and every box that they ticked is kept', async () => {
  await using t = await startTestApp()
  const body = new FormData()
  body.set('file', new File(['title'], 'program.csv'))
  const send = async (path: string, body: FormData | URLSearchParams) => {
    const response = await fetch(t.url + path, { method: 'POST', headers: { accept: 'text/html' }, body })
    return { status: response.status, text: await response.text() }
  }
  const signedOut = expect.stringContaining('You are signed out')
  expect(await send('/console/import', body)).toEqual({ status: 401, text: signedOut })
  const ticked = new URLSearchParams('events=1&events=2&note=3')
  const { text } = await send('/console/publish', ticked)
  const kept = [...text.matchAll(/type="hidden" name="(\w+)" value="(\d)"/g)].map(([, name, value]) => [name, value])
  expect(kept).toEqual([...ticked])
})

test('what a file says is not taken for an option of the command', () => {
  expect(forPage('“--constructor” and “--dates” in a title')).toMatch(/^“--constructor” and “(?!--dates)/)
})

test('a difference of many quotation marks and arrows is shown in no time', () => {
  const start = performance.now()
  expect(differenceLine(`title “${'” → “'.repeat(1_000)}`).text).toContain('title')
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('forms of strangers that are given back, and never read, take no more memory than other responses', async () => {
  await using t = await startTestApp()
  const body = `note=${"'".repeat(1_000_000)}`
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const sent: ClientRequest[] = []
  const send = () => {
    const waiting = request(`${t.url}/console/publish`, { method: 'POST', headers, agent: false })
    sent.push(waiting.end(body))
    return new Promise<number | undefined>((resolve, reject) => {
      waiting.on('error', reject).on('response', ({ statusCode }) => resolve(statusCode))
    })
  }
  const statuses = await Promise.all(Array.from({ length: 24 }, send))
  expect(new Set(statuses)).toEqual(new Set([401, 503]))
  for (const each of sent) each.on('error', () => {}).destroy()
  await expect.poll(send).toBe(401)
})
