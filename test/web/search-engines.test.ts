import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { publicUrl, startAppWithKeys } from '../access/app-with-keys.ts'
import { signInAsParticipant } from '../access/sessions.ts'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { addConference, readPage } from './read-page.ts'

/** A conference of two days, with a speaker. */
async function addProgram(t: TestApp): Promise<void> {
  await addConference(t, { title: 'Summit </script> "2030"', acronym: 's30' })
  await make.event(t, {
    title: 'Small boats',
    subtitle: 'By hand',
    speaker: 'Eva Núñez',
    venue: 'Hall 1',
    location_name: 'Congress Centre',
  })
  await make.event(t, { title: 'Knots', date_from: '2030-05-03 09:00:00', date_to: '2030-05-03 10:00:00' })
}

const indexed = ['/', '/program/2030-05-02', '/sessions/1']
const others = ['/plan', '/plan?sessions=1', '/releases', '/program?q=boats', '/program/2030-05-02?track=1', '/nothing']

test('where ACCESS is public, search engines may list the first page, the program and sessions, and nothing else', async () => {
  await using t = await startAppWithKeys('public')
  await addProgram(t)
  for (const path of indexed) {
    const { headers, text, status } = await readPage(t, path)
    expect([status, headers.get('x-robots-tag')], path).toEqual([200, null])
    expect(text).toContain(`<link rel="canonical" href="${publicUrl}${path}">`)
    expect(text).toContain(`<meta property="og:url" content="${publicUrl}${path}">`)
    expect(text).toMatch(/<meta property="og:title" content="[^"]+">/)
    expect(text).toMatch(/<meta name="description" content="[^"]+">/)
  }
  for (const path of [...others, '/sign-in']) {
    const { headers, text } = await readPage(t, path)
    expect(headers.get('x-robots-tag'), path).toBe('noindex')
    expect(text, path).not.toMatch(/canonical|og:|ld\+json/)
  }
  expect((await readPage(t, '//program//2030-05-02/?utm_source=x')).text).toContain(
    `<link rel="canonical" href="${publicUrl}/program/2030-05-02">`,
  )
})

test.each(['open', 'members'] as const)('where ACCESS is %s, search engines list nothing', async (access) => {
  await using t = await (access === 'open' ? startTestApp() : startAppWithKeys('members'))
  await addProgram(t)
  const ana = access === 'open' ? undefined : await signInAsParticipant(t, 1 as ParticipantId)
  const headers = ana?.headers ?? {}
  for (const path of [...indexed, ...others]) {
    const page = await readPage(t, path, headers)
    expect(page.headers.get('x-robots-tag'), path).toBe('noindex')
    expect(page.text, path).not.toMatch(/canonical|og:|ld\+json/)
  }
  expect((await readPage(t, '/sitemap.xml')).status).toBe(404)
})

test('the sitemap has the absolute URL of each of these pages, as of today', async () => {
  await using t = await startAppWithKeys('public', { PUBLIC_URL: `${publicUrl}/2030` })
  await addProgram(t)
  const read = async () => {
    const response = await fetch(`${t.url}/sitemap.xml`)
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    return Array.from((await response.text()).matchAll(/<url><loc>(.*?)<\/loc><\/url>/g), ([, url = '']) => url)
  }
  const paths = ['/', '/program/2030-05-02', '/program/2030-05-03', '/sessions/1', '/sessions/2', '/speakers/1']
  expect(await read()).toEqual(paths.map((path) => `${publicUrl}/2030${path}`))
  await make.event(t, { title: 'Sails' })
  expect(await read()).toContain(`${publicUrl}/2030/sessions/3`)
})

test('the first page describes the conference to search engines', async () => {
  await using t = await startAppWithKeys('public')
  await addProgram(t)
  const { text, headers } = await readPage(t, '/')
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
  expect(JSON.parse(data)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: 'Summit </script> "2030"',
    url: `${publicUrl}/`,
    startDate: '2030-05-02',
    endDate: '2030-05-03',
    eventStatus: 'https://schema.org/EventScheduled',
    location: { '@type': 'Place', name: 'Congress Centre', address: 'Congress Centre' },
  })
  expect(text).toContain('content="Summit &#60;/script&#62; &#34;2030&#34;, 2\u2009–\u20093 May 2030, Congress Centre"')
  expect(headers.get('cache-control')).toBe('public, no-cache')
})
