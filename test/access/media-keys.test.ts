import { describe, expect, test } from 'vitest'
import { programFiles } from '../../src/contract/program-export.ts'
import { replayedHeader } from '../../src/server/http/idempotency.fixtures.ts'
import { startOtherServer } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { storePhoto } from '../contract/example-app.ts'
import * as make from '../make.ts'
import { type KeyHolder, publicUrl } from './app-with-keys.ts'
import { askAs, CodeBrowser, startAppWithMail } from './codes.ts'
import { keyOf, linksOf, load, notes, start } from './media-keys.ts'
import { inviteAsParticipant, sendInvitation } from './sessions.ts'

const day = 24 * 60 * 60 * 1000
const keyInLink = /\?key=(smm_[\w-]{32})/

const statusesOf = (url: string, links: readonly string[]) =>
  Promise.all(
    links.map(async (link) => {
      const response = await load(url, link)
      // A server that closes would wait for the connection of an unread response.
      await response.arrayBuffer()
      return response.status
    }),
  )

const all = (status: number) => [status, status, status, status, status]

describe('where ACCESS is members, links to images and files', () => {
  test('load without a header, on their day and the next', async () => {
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
    const browser = new CodeBrowser(t)
    const [{ data }] = JSON.parse((await browser.redeem(await askAs(t, browser))).text)
    for (const { me } of [invited.data, data])
      expect(await statusesOf(t.url, [`${publicUrl}/${me.participant.photo}`])).toEqual([200])
  })

  test('have a key that opens no file of the program, nor is it in one', async () => {
    await using t = await start()
    const [file = ''] = await linksOf(t.ana, t)
    for (const name of programFiles) {
      const path = `${publicUrl}/api/program/export/${name}`
      expect(await statusesOf(t.url, [`${path}?key=${keyOf(file)}`, path])).toEqual([401, 401])
      const response = await load(t.url, path, { headers: t.ana.headers })
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, max-age=300'])
      expect(await response.text()).not.toContain('smm_')
    }
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

  test('authorize nobody for anything else', async () => {
    await using t = await start()
    const query = `?key=${keyOf((await linksOf(t.owner, t))[0])}`
    for (const path of ['/api/newsfeeds/topics/0/10', '/api/participants/0/10', '/api/newsfeeds/topics/1/details'])
      expect((await load(t.url, publicUrl + path + query)).status, path).toBe(401)
    expect((await load(t.url, `${publicUrl}/api/newsfeeds/topics/1/delete${query}`, { method: 'DELETE' })).status).toBe(
      401,
    )
  })

  test('end with summit key rotate media at once, on every server, also those in cached responses', async () => {
    await using t = await start()
    await using other = await startOtherServer(t)
    const links = await linksOf(t.ana, t)
    expect(await runSummitInProcess(['key', 'rotate', 'media'], t.settings)).toMatchObject({ code: 0, err: '' })
    for (const { url } of [t, other]) {
      expect(await statusesOf(url, links)).toEqual(all(401))
      expect(await statusesOf(url, await linksOf(t.ana, t))).toEqual(all(200))
    }
  })

  test('hold the key of the audience and the day, also in cached responses, and the same in all of its responses', async () => {
    await using t = await start()
    await using uncached = await startOtherServer(t, { pageCacheBytes: 0 })
    const personal = await t.issuePersonalUrl(t.ben.participant)
    const app = await t.issueAppUrl()
    const seen = new Set<string | undefined>()
    for (let nth = 0; nth < 3; nth++, t.advance(day)) {
      const keysOf = async (holder: Pick<KeyHolder, 'client'>) => new Set((await linksOf(holder, t)).map(keyOf))
      const [organizers, ...participants] = [
        await keysOf(t.owner),
        await keysOf(t.ana),
        await keysOf(personal),
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

  test('are sought in texts alone, so that JSON nested 100,000 deep does no harm', async () => {
    await using t = await start()
    const nested = '['.repeat(100_000) + ']'.repeat(100_000)
    const send = (members: string) =>
      make.send(t, 'POST', '/api/newsfeeds/topics/create', `{"created_by":1,${members}}`, t.ana.headers)
    expect((await send(`"name":"Lunch","x":${nested}`)).response_code).toBe(1000)
    expect((await send(`"name":${nested}`)).response_code).toBe(4220)
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
