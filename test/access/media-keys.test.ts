import { describe, expect, test, vi } from 'vitest'
import { tableNames } from '../../src/server/db/tables.ts'
import { replayedHeader } from '../../src/server/http/idempotency.fixtures.ts'
import { startOtherServer } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { storePhoto } from '../contract/example-app.ts'
import * as make from '../make.ts'
import { type AppWithKeys, type KeyHolder, publicUrl, startAppWithKeys } from './app-with-keys.ts'
import { anasAddress, Browser, codeIn, startAppWithMail } from './codes.ts'
import { inviteAsParticipant, sendInvitation } from './sessions.ts'

const day = 24 * 60 * 60 * 1000
const keyInLink = /\?key=(smm_[\w-]{32})/
const notes = { name: 'notes.txt', data: 'R3LD' }

/** A summit in which a topic has a file, Ana a photo, and the program an event. */
async function start(access: 'public' | 'members' = 'members') {
  const t = await startAppWithKeys(access)
  const photo = await storePhoto(t, t.ana.participant)
  await t.owner.client.updateParticipant({ participantId: t.ana.participant, photo })
  await make.event(t)
  await t.ana.client.createTopic({ name: 'Lunch', created_by: t.ana.participant, uploaded_files: [notes] })
  return Object.assign(t, { photo })
}

/** All links that a sender reads: of a file, a photo and a banner, and the path of the photo. */
async function linksOf({ client }: Pick<KeyHolder, 'client'>, { ana }: AppWithKeys): Promise<string[]> {
  const topic = make.only((await client.getTopic({ topic_id: 1 })).NewsFeed)
  const event = make.only((await client.listEvents({ offset: 0, limit: 1 })).events)
  const { participants } = await client.listParticipants({ offset: 0, limit: 10 })
  const path = participants.find(({ id }) => id === String(ana.participant))?.photo
  const file = topic.content.uploaded_files[0]?.link ?? ''
  return [file, topic.author.photoUrl ?? '', event.imageUrl, `${publicUrl}/${path}`]
}

/** Loads what a link is to, as an `<img>` does. */
function load(url: string, link: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(link)
  const headers = { accept: 'application/problem+json', ...(init.headers as Record<string, string>) }
  return fetch(url + pathname + search, { ...init, headers })
}

const statusesOf = (url: string, links: readonly string[]) =>
  Promise.all(
    links.map(async (link) => {
      const response = await load(url, link)
      // A server that closes would wait for the connection of an unread response.
      await response.arrayBuffer()
      return response.status
    }),
  )

const keyOf = (link = '') => keyInLink.exec(link)?.[1]

const all = (status: number) => [status, status, status, status]

describe('where ACCESS is members, links to images and files', () => {
  test('admit loaders that send no header, on their day and the next', async () => {
    await using t = await start()
    await using other = await startOtherServer(t)
    const links = await linksOf(t.ana, t)
    for (const { url } of [t, other]) expect(await statusesOf(url, links)).toEqual(all(200))
    const [file = ''] = links
    const { headers } = await load(t.url, file)
    expect(headers.get('cache-control')).toBe('private, max-age=300')
    const others = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await load(t.url, file, { headers: others })).status).toBe(304)
    expect((await load(t.url, file, { headers: { range: 'bytes=0-0' } })).status).toBe(206)
    expect((await load(t.url, file, { headers: { range: 'bytes=9-' } })).status).toBe(416)
    expect((await load(t.url, file, { method: 'HEAD' })).status).toBe(200)
    t.advance(day)
    expect(await statusesOf(t.url, links)).toEqual(all(200))
    t.advance(day)
    expect(await statusesOf(t.url, links)).toEqual(all(401))
    expect(await statusesOf(t.url, await linksOf(t.ana, t))).toEqual(all(200))
  })

  test('are complete in the response to a sign-in, with an invitation or a code', async () => {
    await using t = await startAppWithMail()
    const { participant } = t.ana
    await t.owner.client.updateParticipant({ participantId: participant, photo: await storePhoto(t, participant) })
    const invited = await sendInvitation(t.url, await inviteAsParticipant(t, participant))
    const browser = new Browser(t)
    await browser.ask(anasAddress)
    await vi.waitFor(() => expect(t.received).toHaveLength(1))
    const [{ data }] = JSON.parse((await browser.redeem(codeIn(make.only(t.received)))).text)
    for (const { me } of [invited.data, data])
      expect(await statusesOf(t.url, [`${publicUrl}/${me.participant.photo}`])).toEqual([200])
  })

  test('are invalid without the key, with another, and on a day that has not begun', async () => {
    await using t = await start()
    const [file = ''] = await linksOf(t.ana, t)
    const plain = file.replace(keyInLink, '')
    const wrong = [
      '',
      '?key=',
      '?key=smm_',
      `?key=smm_${'A'.repeat(32)}`,
      `?key=${keyOf(file)}x`,
      `?key=${keyOf(file)?.slice(0, -1)}`,
    ]
    expect(
      await statusesOf(
        t.url,
        wrong.map((query) => plain + query),
      ),
    ).toEqual(wrong.map(() => 401))
    expect(await statusesOf(t.url, [`${plain}?x=1&key=${keyOf(file)}`])).toEqual([200])
    t.advance(-day)
    expect(await statusesOf(t.url, [file])).toEqual([401])
  })

  test('admit nobody to anything else', async () => {
    await using t = await start()
    const query = `?key=${keyOf((await linksOf(t.owner, t))[0])}`
    for (const path of ['/api/newsfeeds/topics/0/10', '/api/participants/0/10', '/api/newsfeeds/topics/1/details'])
      expect((await load(t.url, publicUrl + path + query)).status, path).toBe(401)
    expect((await load(t.url, `${publicUrl}/api/newsfeeds/topics/1/delete${query}`, { method: 'DELETE' })).status).toBe(
      401,
    )
  })

  test('work beside a key in the header or path, which alone decides', async () => {
    await using t = await start()
    const [file = ''] = await linksOf(t.ana, t)
    const { headers, prefix } = { ...t.ana, prefix: (await t.issuePersonalAddress(t.ana.participant)).prefix }
    expect((await load(t.url, file, { headers })).status).toBe(200)
    expect((await load(t.url + prefix, file)).status).toBe(200)
    await t.revoke(t.ana)
    expect((await load(t.url, file, { headers })).status).toBe(401)
  })

  test('end with summit key rotate media at once, on every server, also those in cached responses', async () => {
    await using t = await start()
    await using other = await startOtherServer(t)
    const links = await linksOf(t.ana, t)
    expect(await runSummitInProcess(['key', 'rotate', 'media'], t.settings)).toMatchObject({ code: 0 })
    for (const { url } of [t, other]) {
      expect(await statusesOf(url, links)).toEqual(all(401))
      expect(await statusesOf(url, await linksOf(t.ana, t))).toEqual(all(200))
    }
  })

  test('hold the key of the audience and the day, also in cached responses, and the same in all of its responses', async () => {
    await using t = await start()
    await using uncached = await startOtherServer(t, { pageCacheBytes: 0 })
    const address = await t.issuePersonalAddress(t.ben.participant)
    const app = await t.issueAppAddress()
    const seen = new Set<string | undefined>()
    for (let nth = 0; nth < 3; nth++, t.advance(day)) {
      const keysOf = async (holder: Pick<KeyHolder, 'client'>) => new Set((await linksOf(holder, t)).map(keyOf))
      const [organizers, ...participants] = [
        await keysOf(t.owner),
        await keysOf(t.ana),
        await keysOf(address),
        await keysOf(app),
      ]
      expect(organizers.size).toBe(1)
      for (const keys of participants) expect(keys).toEqual(participants[0])
      for (const key of [...organizers, ...(participants[0] ?? [])]) {
        expect(key).toMatch(/^smm_/)
        expect(seen).not.toContain(key)
        seen.add(key)
      }
      // The cached response of another viewer or day would differ.
      for (const { headers } of [t.owner, t.ana])
        for (const path of ['/api/newsfeeds/topics/0/10', '/api/participants/0/10']) {
          const [one, two] = await Promise.all(
            [t.url, uncached.url].map(async (url) => (await fetch(url + path, { headers })).text()),
          )
          expect(one).toBe(two)
        }
    }
    expect(seen.size).toBe(6)
  })

  test('are stored without the key when a client sends them back, and shown with that of the reader', async () => {
    await using t = await start()
    const [file = '', photoUrl = '', banner = ''] = await linksOf(t.ana, t)
    const body = `See ${file} and ${photoUrl}&x=1, <a href="${banner}">this</a>`
    const created_by = t.ana.participant
    const uploaded_files = [file, { link: photoUrl, fileType: 'image/png' }, `${file}#page=2`]
    await t.ana.client.createTopic({ name: `About ${file}`, body, created_by, uploaded_files })
    await t.ana.client.createComment({ topic_id: 2, comment: body, created_by, uploaded_files })
    await t.ana.client.addFeedback({ created_by, comments: body })
    const encoded = `https://cdn.summit.example/?resize=${encodeURIComponent(file)}`
    await t.ana.client.createComment({ topic_id: 2, comment: encoded, created_by, uploaded_files: [encoded] })
    const form = new URLSearchParams({ name: body, created_by: String(created_by), uploaded_files: file })
    await make.send(t, 'POST', '/api/newsfeeds/topics/create', form, t.ana.headers)
    await t.ana.client.updateParticipant({ participantId: created_by, photo: photoUrl })

    const topic = make.only((await t.ben.client.getTopic({ topic_id: 2 })).NewsFeed)
    expect(topic.content.header).toBe(`About ${file.replace(keyInLink, '')}`)
    const [plainFile, plainPhoto, plainBanner] = [file, photoUrl, banner].map((link) => link.replace(keyInLink, ''))
    expect(topic.content.body).toBe(`See ${plainFile} and ${plainPhoto}?x=1, <a href="${plainBanner}">this</a>`)
    expect(topic.content.uploaded_files.map(({ link }) => link)).toEqual([
      file,
      photoUrl,
      `${file.replace(keyInLink, '')}#page=2`,
    ])
    expect(topic.author.photoUrl).toBe(photoUrl)
    const { read } = t.ctx.database
    for (const table of tableNames)
      expect(JSON.stringify(await read.selectFrom(table).selectAll().execute()), table).not.toContain('smm_')
  })

  test('are not stored either where two are nested, in the name of a file, or in an array', async () => {
    await using t = await start()
    const key = keyOf((await linksOf(t.ana, t))[0]) ?? ''
    const nested = `smm${key}_${'A'.repeat(32)}`
    const twice = `sm${nested}m_${'B'.repeat(32)}`
    const created_by = t.ana.participant
    const data = Buffer.from('R3LD').toString('base64')
    await t.ana.client.createTopic({
      name: nested,
      body: twice,
      created_by,
      uploaded_files: [{ name: `${key}.txt`, data }, { name: nested, data }, `https://cdn.summit.example/${nested}`],
    })
    const file = new File(['x'], `${nested}.txt`)
    await t.ana.client.createTopic({ name: 'Lunch', created_by }, { files: [file] })
    const { read } = t.ctx.database
    for (const table of tableNames) {
      const stored = JSON.stringify(await read.selectFrom(table).selectAll().execute())
      expect(stored, table).not.toMatch(/smm_[\w-]{32}/)
      expect(stored, table).not.toContain(key)
    }
  })

  test('have no key for a photo whose path browsers take for another host', async () => {
    await using t = await start()
    const paths = [`//${t.photo}`, `///${t.photo}`, `/${t.photo}`]
    const shown: (string | null)[] = []
    for (const photo of paths) {
      const { participant } = await t.owner.client.updateParticipant({ participantId: t.ana.participant, photo })
      shown.push(participant.photo)
    }
    expect(shown.map((photo) => keyInLink.test(photo ?? ''))).toEqual([false, false, true])
  })

  test('that a client sends back with a topic add no file to it, on any day', async () => {
    await using t = await start()
    const [file = ''] = await linksOf(t.ana, t)
    t.advance(day)
    const { NewsFeed } = await t.ana.client.updateTopic({ topic_id: 1, name: 'Dinner', uploaded_files: [file] })
    expect(make.only(NewsFeed).content.uploaded_files).toHaveLength(1)
  })

  test('of a photo path that a client sends back lead to the same photo', async () => {
    await using t = await start()
    const { participants } = await t.ana.client.listParticipants({ offset: 0, limit: 10 })
    const photo = participants.find(({ id }) => id === String(t.ana.participant))?.photo ?? ''
    expect(photo).toMatch(keyInLink)
    const { participant } = await t.ana.client.updateParticipant({ participantId: t.ana.participant, photo })
    expect(participant.photo).toBe(photo)
    const row = t.ctx.database.read.selectFrom('participant').select('photo').where('id', '=', t.ana.participant)
    expect(await row.executeTakeFirst()).toEqual({ photo: t.photo })
  })

  test('in the response to a retry are valid on its day, and in no stored response', async () => {
    await using t = await start()
    const request = { name: 'Slides', created_by: t.ana.participant, uploaded_files: [notes] }
    const send = () => t.ana.client.call('createTopic', request, { idempotencyKey: 'once' })
    const linkIn = (text: string) => /"link":"([^"]+)"/.exec(text)?.[1] ?? ''
    const first = await send()
    // The key ends within the 24 hours in which the response is repeated.
    t.advance(15.5 * 60 * 60 * 1000)
    const second = await send()
    expect([replayedHeader(first), replayedHeader(second)]).toEqual([null, 'true'])
    expect(linkIn(second.text).replace(keyInLink, '')).toBe(linkIn(first.text).replace(keyInLink, ''))
    expect(keyOf(linkIn(second.text))).toBe(keyOf((await linksOf(t.ana, t))[0]))
    expect(keyOf(linkIn(second.text))).not.toBe(keyOf(linkIn(first.text)))
    const rows = await t.ctx.database.read.selectFrom('idempotency').select('data').execute()
    expect(make.only(rows).data).not.toContain('smm_')
  })

  test('that a text only resembles get no key in the response to a retry', async () => {
    await using t = await start()
    const body = 'https://evil.example/?key=smm_ https://evil.example/?key= \u0001 \\u0001'
    const request = { name: 'Look', body, created_by: t.ana.participant }
    const send = () => t.ana.client.call('createTopic', request, { idempotencyKey: 'once' })
    const [first, second] = [await send(), await send()]
    expect([replayedHeader(second), second.envelope.data]).toEqual(['true', first.envelope.data])
    expect(second.text).toContain(`"body":${JSON.stringify(body)}`)
  })
})

test('where ACCESS is public, links have no key, and one in a request is ignored', async () => {
  await using t = await start('public')
  const links = await linksOf(t.ana, t)
  expect(links.filter((link) => link.includes('?'))).toEqual([])
  expect(
    await statusesOf(
      t.url,
      links.map((link) => `${link}?key=smm_${'A'.repeat(32)}`),
    ),
  ).toEqual(all(200))
})
