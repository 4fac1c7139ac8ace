import { beforeEach, describe, expect, test } from 'vitest'
import type { SpeakerId } from '../../src/server/core/ids.ts'
import { addEvent } from '../../src/server/domains/program/events.ts'
import { addRecord, type NewProgramRecord } from '../../src/server/domains/program/records.ts'
import { type AppWithKeys, startAppWithKeys, withKeys } from '../access/app-with-keys.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { linksIn, openPage } from './pages.ts'

// The directory and the speakers, as people read them in a browser.

const evil = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`

describe('the directory', () => {
  let t: AppWithKeys

  beforeEach(async () => {
    t = await startAppWithKeys('members')
    return () => t[Symbol.asyncDispose]()
  })

  const pathOfAna = () => `/people/${t.ana.participant}`

  test('lists people for those who have signed in, and sends visitors to the sign-in', async () => {
    await using visible = await startAppWithKeys('public')
    for (const app of [t, visible])
      for (const path of ['/people', '/people?q=ana', `/people/${app.ana.participant}`]) {
        const visitor = await openPage(app, path)
        const next = `/sign-in?next=${encodeURIComponent(path)}`
        expect([visitor.status, visitor.headers.get('location')]).toEqual([303, next])
        expect(visitor.page).not.toContain('Ana')
        for (const reader of [app.ben, app.owner]) {
          const { status, text, headers } = await openPage(app, path, reader)
          expect([status, text]).toEqual([200, expect.stringContaining('Ana Cruz Engineer')])
          expect(headers.get('x-robots-tag')).toBe('noindex')
          expect(headers.get('cache-control')).toMatch(/^private, no-/)
        }
      }
    expect(linksIn((await openPage(t, '/people', t.ben)).page)).toEqual(expect.arrayContaining([pathOfAna()]))
  })

  test('shows a contact to others when it is shared, to organizers always, and to nobody else from memory', async () => {
    const contacts = ['ana@summit.example', '+41 1', 'E1']
    const shown = async (reader: { headers: Record<string, string> }) => {
      const { text } = await openPage(t, pathOfAna(), reader)
      return contacts.filter((contact) => text.includes(contact))
    }
    expect([await shown(t.owner), await shown(t.ben), await shown(t.ana)]).toEqual([contacts, [], []])
    await t.ana.client.updateSharing({ email: true })
    expect([await shown(t.ben), await shown(t.owner)]).toEqual([['ana@summit.example'], contacts])
    await t.ana.client.updateSharing({ mobile_no: true })
    expect(await shown(t.ben)).toEqual(['ana@summit.example', '+41 1'])
    await t.ana.client.updateSharing({ email: false })
    expect(await shown(t.ben)).toEqual(['+41 1'])
  })

  test('links to an e-mail address and a phone number, if they are such', async () => {
    const linksOf = async (values: { email: string; mobile_no: string }) => {
      await t.owner.client.updateParticipant({ participantId: t.ana.participant, ...values })
      const { page } = await openPage(t, pathOfAna(), t.owner)
      return linksIn(page).filter((link) => /^(mailto|tel|javascript)/.test(link))
    }
    expect(await linksOf({ email: 'ana+x@summit.example', mobile_no: '+41 (0)79 123-45.67' })).toEqual([
      ...['mailto:ana%2Bx@summit.example', 'tel:+41791234567'],
    ])
    expect(await linksOf({ email: 'a?bcc=all@summit.example', mobile_no: 'none' })).toEqual([
      'mailto:a%3Fbcc%3Dall@summit.example',
    ])
    expect(await linksOf({ email: 'javascript:alert(1)', mobile_no: '*21#' })).toEqual([])
  })

  test('leaves a hidden participant out, but not for organizers', async () => {
    await openPage(t, '/people', t.ben)
    expect((await openPage(t, pathOfAna(), t.ben)).status).toBe(200)
    await t.ana.client.updateSharing({ is_hidden: true })
    const { status, page } = await openPage(t, pathOfAna(), t.ben)
    expect([status, page]).toEqual([404, expect.stringContaining('There is nothing here')])
    for (const path of ['/people', '/people?q=cruz']) {
      expect((await openPage(t, path, t.ben)).text).not.toContain('Ana')
      expect((await openPage(t, path, t.owner)).text).toContain('Ana')
    }
    expect((await openPage(t, '/people?q=ana', t.ben)).text).toContain('Nobody is found for “ana”.')
    expect((await openPage(t, pathOfAna(), t.owner)).status).toBe(200)
    for (const id of ['404', '0', 'x', '1.0']) expect((await openPage(t, `/people/${id}`, t.ben)).status).toBe(404)
  })

  test('has 50 people on a page, also of those who are found', async () => {
    for (let n = 1; n <= 60; n++) await make.participant(t, { first_name: `Person ${n}`, last_name: 'X' })
    const peopleIn = (page: string) => page.match(/class="person"/g)?.length
    const turns = (page: string) =>
      linksIn(page).filter((link) => link.includes('from=') || link === '/people?q=person')
    const first = (await openPage(t, '/people', t.ben)).page
    expect([peopleIn(first), turns(first)]).toEqual([50, ['/people?from=50']])
    const second = (await openPage(t, '/people?from=50', t.ben)).page
    expect([peopleIn(second), turns(second)]).toEqual([12, []])
    expect(linksIn(second).filter((link) => link === '/people')).toHaveLength(2)
    const found = await openPage(t, '/people?q=person', t.ben)
    expect(found.text).toContain('60 people for “person”.')
    expect([peopleIn(found.page), turns(found.page)]).toEqual([50, ['/people?q=person&from=50']])
    const more = (await openPage(t, '/people?q=person&from=50', t.ben)).page
    expect([peopleIn(more), turns(more)]).toEqual([10, ['/people?q=person']])
    for (const [path, to] of [
      ['/people?from=500', '/people'],
      ['/people?q=a%26b&from=500', '/people?q=a%26b'],
    ])
      expect((await openPage(t, path ?? '', t.ben)).headers.get('location')).toBe(to)
  })

  test('shows what people are called as text, and no picture of another site', async () => {
    const values = { first_name: evil, last_name: '', designation: evil, photo: 'https://evil.example/x.png' }
    await t.ana.client.updateMe(values)
    const search = `/people?${new URLSearchParams({ q: 'onerror' })}`
    for (const path of ['/people', search, pathOfAna()]) {
      const { page, text } = await openPage(t, path, t.ben)
      expect(text).toContain(evil)
      expect(page).not.toContain('<img src=x')
      expect(page).not.toMatch(/<img [^>]*evil/)
    }
    expect(linksIn((await openPage(t, pathOfAna(), t.ben)).page)).toContain('https://evil.example/x.png')
    const { page, text } = await openPage(t, `/people?${new URLSearchParams({ q: evil })}`, t.ben)
    expect([page.includes('<img src=x'), text.includes(evil)]).toEqual([false, true])
  })

  test('leaves contacts out where nobody signs in, though the API has them', async () => {
    await using open = await startTestApp()
    const { ana } = await withKeys(open)
    const { participants } = await open.client.listParticipants({ offset: 0, limit: 1 })
    expect(participants).toMatchObject([{ email: 'ana@summit.example' }])
    for (const path of ['/people', '/people?q=ana', `/people/${ana.participant}`]) {
      const { page, text, headers } = await openPage(open, path)
      expect(text).toContain('Ana Cruz')
      expect(page).not.toMatch(/ana@|\+41|E1\b|mailto:|tel:/)
      expect(headers.get('x-robots-tag')).toBe('noindex')
    }
  })

  test('says what will be there while it is empty', async () => {
    await using open = await startTestApp()
    expect((await openPage(open, '/people')).text).toContain('Nobody is here yet')
  })
})

describe('the pages of speakers', () => {
  const addSpeaker = (t: TestApp, values: NewProgramRecord<'speaker'>) =>
    inCommand(t, async (scope) => (await addRecord(scope, 'speaker', values)) as SpeakerId)

  const addSession = (t: TestApp, title: string, speakers: SpeakerId[], date_from = '2030-05-02 09:00:00') =>
    inCommand(t, (scope) => addEvent(scope, { title, date_from, date_to: date_from, speakers }, []))

  test('are in the order of names, and found by words', async () => {
    await using t = await startTestApp()
    const names = ['zoë Moon', 'Émile', '„Bo“ Li', 'Ada', 'Eva', 'Ämne', '明']
    const speakers = []
    for (const name of names) speakers.push(await addSpeaker(t, { name, company: name === 'Ada' ? 'Café Royal' : '' }))
    await addSpeaker(t, { name: 'Nobody' })
    await addSession(t, 'Opening', speakers)
    const namesIn = (page: string) => [...page.matchAll(/<b dir="auto">([^<]*)</g)].map(([, name]) => name)
    const { page } = await openPage(t, '/speakers')
    expect(namesIn(page)).toEqual(['Ada', 'Ämne', '„Bo“ Li', 'Émile', 'Eva', 'zoë Moon', '明'])
    const found = await openPage(t, '/speakers?q=cafe%20ada')
    expect([namesIn(found.page), found.text]).toEqual([['Ada'], expect.stringContaining('1 person for “cafe ada”.')])
    expect((await openPage(t, '/speakers?q=ada%20moon')).text).toContain('Nobody is found for “ada moon”.')
    // A search is as long as its field, in whatever address.
    expect((await openPage(t, `/speakers?q=${'x'.repeat(5_000)}`)).text).toContain(`“${'x'.repeat(200)}”`)
  })

  test('show who somebody is, and their sessions in the order of time', async () => {
    await using t = await startTestApp()
    const id = await addSpeaker(t, {
      ...{ name: 'Ana Cruz', position: 'Engineer', company: 'Boats', photo: 'https://cdn.example/ana.jpg' },
      biography: '<p>She <em>builds</em> boats.</p>',
      links: JSON.stringify([
        { title: 'Blog', url: 'https://ana.example/' },
        { title: 'Bad', url: 'javascript:alert(1)' },
      ]),
    })
    const other = await addSpeaker(t, { name: 'Ben' })
    await addSession(t, 'Late', [id, other], '2030-05-03 09:00:00')
    await addSession(t, 'Early', [id], '2030-05-02 09:00:00')
    await addSession(t, 'Not hers', [other])
    const { page, text } = await openPage(t, `/speakers/${id}`)
    expect(text).toMatch(/Ana Cruz Engineer, Boats .*She builds boats\..*Blog Bad .*Early Thu 09:00 .*Late Fri 09:00 /)
    expect(text).not.toContain('Not hers')
    expect(page).toContain('<p>She <em>builds</em> boats.</p>')
    expect(page).not.toContain('<img')
    expect(page.match(/data-star=/g)).toHaveLength(2)
    const links = linksIn(page)
    expect(links).toEqual(expect.arrayContaining(['https://cdn.example/ana.jpg', 'https://ana.example/']))
    expect(links.filter((link) => link.startsWith('javascript'))).toEqual([])
    await addSpeaker(t, { name: 'Without a session' })
    for (const unknown of [3, 404, 0, 'x']) expect((await openPage(t, `/speakers/${unknown}`)).status).toBe(404)
  })

  test('show what programs say as text', async () => {
    await using t = await startTestApp()
    const id = await addSpeaker(t, { name: evil, position: evil, company: evil })
    await addSession(t, evil, [id])
    for (const path of ['/speakers', '/speakers?q=onerror', `/speakers/${id}`]) {
      const { page, text } = await openPage(t, path)
      expect([text.includes(evil), page.includes('<img src=x')]).toEqual([true, false])
    }
  })

  test('are for everybody and for search engines where the summit is public', async () => {
    for (const access of ['public', 'members'] as const) {
      await using t = await startAppWithKeys(access)
      await addSession(t, 'Opening', [await addSpeaker(t, { name: 'Eva' })])
      for (const path of ['/speakers', '/speakers/1']) {
        const { status, headers } = await openPage(t, path)
        if (access === 'public') expect([status, headers.get('x-robots-tag')]).toEqual([200, null])
        else expect([status, headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`])
        expect((await openPage(t, path, t.ben)).text).toContain('Eva')
      }
      const found = await openPage(t, '/speakers?q=eva', t.ben)
      expect(found.headers.get('x-robots-tag')).toBe('noindex')
    }
  })

  test('say what will be there while there is none', async () => {
    await using t = await startTestApp()
    expect((await openPage(t, '/speakers')).text).toContain('No speakers yet')
  })
})
