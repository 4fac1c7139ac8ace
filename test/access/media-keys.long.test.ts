import { describe, expect, test } from 'vitest'
import { replayedHeader } from '../../src/server/http/idempotency.fixtures.ts'
import { tableNames } from '../../src/server/storage/db/tables.ts'
import * as make from '../make.ts'
import { keyOf, linksOf, load, start } from './media-keys.ts'

const day = 24 * 60 * 60 * 1000
const keyInLink = /\?key=(smm_[\w-]{32})/

describe('where ACCESS is members, links to images and files', () => {
  test('work beside a key in the header or path, which alone decides', async () => {
    await using t = await start()
    const [file = ''] = await linksOf(t.ana, t)
    const { headers, prefix } = { ...t.ana, prefix: (await t.issuePersonalUrl(t.ana.participant)).prefix }
    expect((await load(t.url, file, { headers })).status).toBe(200)
    expect((await load(t.url + prefix, file)).status).toBe(200)
    await t.revoke(t.ana)
    expect((await load(t.url, file, { headers })).status).toBe(401)
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
      // Of Ana, it would be stored as her own, without a slash.
      const { participant } = await t.owner.client.updateParticipant({ participantId: t.ben.participant, photo })
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
