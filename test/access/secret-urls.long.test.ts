import { describe, expect, test } from 'vitest'
import { DataFolder } from '../faults/data-folder.ts'
import { startUpload } from '../faults/upload-in-progress.ts'
import * as make from '../make.ts'
import { type KeyHolder, startAppWithKeys } from './app-with-keys.ts'
import { read } from './secret-urls.ts'

const day = 24 * 60 * 60 * 1000

describe('an app with one secret URL for all of its users', () => {
  const start = async () => {
    const t = await startAppWithKeys('members')
    const cleo = await make.participant(t, { first_name: 'Cleo', email: 'cleo@summit.example', mobile_no: '+41 2' })
    return Object.assign(t, { cleo })
  }
  const post = ({ client }: KeyHolder, created_by: number) =>
    make.codeOf(client.call('createTopic', { name: 'Lunch', created_by }))

  test('reads what participants read, and no contacts', async () => {
    await using t = await start()
    const app = await t.issueAppUrl()
    const { text } = await app.client.call('listParticipants', { offset: 0, limit: 10 })
    expect(text).toContain('"full_name":"Cleo Cruz"')
    expect(text).not.toContain('@summit.example')
    expect(text).not.toContain('+41')
  })

  test('writes in the name of participants until they get a credential, also after it has ended, and of nobody', async () => {
    await using t = await start()
    const app = await t.issueAppUrl()
    expect([await post(app, t.cleo), await post(app, t.ana.participant), await post(app, 0)]).toEqual([
      1000, 4030, 4030,
    ])
    const personal = await t.issuePersonalUrl(t.cleo as typeof t.ana.participant, t.ctx.clock() + day)
    expect(await post(app, t.cleo)).toBe(4030)
    expect(await make.codeOf(app.client.call('likeTopic', { topic_id: 1, created_by: t.cleo }))).toBe(4030)
    expect(
      await make.codeOf(app.client.call('addFeedback', { created_by: 99, participant_id: t.cleo, comments: 'x' })),
    ).toBe(4030)
    await t.revoke(personal)
    expect(await post(app, t.cleo)).toBe(4030)
    t.advance(day)
    expect(await post(app, t.cleo)).toBe(4030)
  })

  test('stores nothing for a participant who gets a key while the upload is under way', async () => {
    await using t = await start()
    const app = await t.issueAppUrl()
    await t.ctx.database.transaction((db) => db.deleteFrom('credential').where('id', '=', t.ana.id).execute())
    using upload = await startUpload(t.url + app.prefix, new DataFolder(t.dataDir))
    await t.issueKey({ participant: t.ana.participant })
    expect(await upload.finish()).toBe(4030)
    await expect.poll(() => make.blobs(t)).toEqual([])
  })

  test('changes and deletes only with the scope, and only records of participants without a credential', async () => {
    await using t = await start()
    const [app, changing] = [await t.issueAppUrl(), await t.issueAppUrl('change')]
    const authors = [t.cleo, t.ana.participant, 0]
    for (const created_by of authors) await t.owner.client.createTopic({ name: 'Lunch', created_by })
    const codesOf = async ({ client }: KeyHolder) => {
      const codes: [update: number, remove: number][] = []
      for (const topic_id of [1, 2, 3])
        codes.push([
          await make.codeOf(client.call('updateTopic', { topic_id, name: 'Dinner', updated_by: t.cleo })),
          await make.codeOf(client.call('deleteTopic', { topic_id })),
        ])
      return codes
    }
    const refused = [4030, 4030]
    expect(await codesOf(app)).toEqual([refused, refused, refused])
    expect(await codesOf(changing)).toEqual([[1000, 2000], refused, refused])
  })

  test('changes a profile without reading its contacts', async () => {
    await using t = await start()
    const { client } = await t.issueAppUrl('change')
    const update = { participantId: t.cleo, designation: 'Chef', email: '' }
    const { envelope, text } = await client.call('updateParticipant', update)
    expect(envelope).toMatchObject({ response_code: 1000, data: { participant: { designation: 'Chef', email: '' } } })
    expect(text).not.toContain('+41')
    const stolen = await client.call('updateParticipant', { participantId: t.cleo, email: 'mallory@x.org' })
    expect(stolen.envelope.response_code).toBe(4030)
    expect(await make.codeOf(client.call('updateParticipant', { ...update, participantId: t.ana.participant }))).toBe(
      4030,
    )
  })

  test('gets 4010 for everything once it is revoked', async () => {
    await using t = await start()
    const app = await t.issueAppUrl('change')
    expect(await read(app)).toBe(1000)
    await t.revoke(app)
    expect([await read(app), await post(app, t.cleo)]).toEqual([4010, 4010])
  })
})
