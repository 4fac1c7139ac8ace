import { expect, test } from 'vitest'
import { startOtherServer, type TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { encodings } from '../contract/requests.ts'
import { DataFolder } from '../faults/data-folder.ts'
import { startUpload } from '../faults/upload-in-progress.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'

const created = '/api/newsfeeds/topics/create'

test.each(['public', 'members'] as const)(
  'where ACCESS is %s, a revoked key fails at once for everything, on every server of the database',
  async (access) => {
    await using t = await startAppWithKeys(access)
    await using other = await startOtherServer(t)
    const uploaded_files = [{ name: 'notes.txt', data: 'R3LD' }]
    const { NewsFeed } = await t.ana.client.createTopic({ name: 'Lunch is served', created_by: 1, uploaded_files })
    const file = new URL(make.only(make.only(NewsFeed).content.uploaded_files).link).pathname
    const etag = (await fetch(t.url + file, { headers: t.ana.headers })).headers.get('etag') ?? ''
    const topic = encodings.json({ name: 'Dinner is served' })

    const requests: [what: string, path: string, init: RequestInit, success: number][] = [
      ['a cached read', '/api/newsfeeds/topics/1/details', {}, 200],
      ['a cached read of participants', '/api/participants/0/10', {}, 200],
      ['HEAD', '/api/newsfeeds/topics/1/details', { method: 'HEAD' }, 200],
      ['a file', file, {}, 200],
      ['HEAD of a file', file, { method: 'HEAD' }, 200],
      ['Range', file, { headers: { range: 'bytes=0-0' } }, 206],
      ['an unsatisfiable Range', file, { headers: { range: 'bytes=9-' } }, 416],
      ['If-None-Match', file, { headers: { 'if-none-match': etag } }, 304],
      ['a read of nothing', '/api/newsfeeds/topics/99/details', {}, 404],
      ['an invalid write', created, { method: 'POST', ...encodings.json({ name: '' }) }, 422],
      ['a write', created, { method: 'POST', ...topic } as RequestInit, 200],
      ['an idempotent write', created, idempotent(topic), 200],
      ['its replay', created, idempotent(topic), 200],
    ]
    const statuses = async (url: string) => {
      const all = []
      for (const [what, path, init] of requests) {
        const accept = 'application/problem+json'
        const headers = { accept, ...t.ana.headers, ...(init.headers as Record<string, string>) }
        const response = await fetch(url + path, { ...init, headers })
        await response.arrayBuffer()
        all.push([what, response.status])
      }
      return all
    }
    for (const { url } of [t, other])
      expect(await statuses(url)).toEqual(requests.map(([what, , , success]) => [what, success]))
    const before = await countTopics(t)

    expect(await runSummitInProcess(['key', 'revoke', String(t.ana.id)], t.settings)).toMatchObject({
      code: 0,
      err: '',
    })

    for (const { url } of [t, other]) expect(await statuses(url)).toEqual(requests.map(([what]) => [what, 401]))
    expect(await make.codeOf(t.ana.client.call('listTopics', { offset: 0, limit: 1 }))).toBe(4010)
    expect(await make.codeOf(t.ben.client.call('listTopics', { offset: 0, limit: 1 }))).toBe(1000)
    expect(await countTopics(t)).toBe(before)
  },
)

const idempotent = ({ headers, body }: ReturnType<typeof encodings.json>): RequestInit => ({
  method: 'POST',
  headers: { ...headers, 'idempotency-key': 'dinner' },
  body,
})

const countTopics = async ({ ctx }: TestApp) =>
  (await ctx.database.read.selectFrom('topic').select('id').execute()).length

test('an upload under way when its key is revoked stores nothing', async () => {
  await using t = await startAppWithKeys('members')
  using upload = await startUpload(t.url, new DataFolder(t.dataDir), t.ana.headers)
  await t.revoke(t.ana)
  expect(await upload.finish()).toBe(4010)
  expect(await countTopics(t)).toBe(0)
  await expect.poll(() => make.blobs(t)).toEqual([])
})

test('an upload under way when its participant is deleted stores nothing', async () => {
  await using t = await startAppWithKeys('members')
  using upload = await startUpload(t.url, new DataFolder(t.dataDir), t.ana.headers)
  const { code } = await runSummitInProcess(['participant', 'forget', String(t.ana.participant), '--apply'], t.settings)
  expect(code).toBe(0)
  expect(await upload.finish()).toBe(4010)
  expect(await countTopics(t)).toBe(0)
  await expect.poll(() => make.blobs(t)).toEqual([])
})

test('a revocation leaves everyone else in memory', async () => {
  await using t = await startAppWithKeys('members')
  const code = () => make.codeOf(t.ana.client.call('getMe', {}))
  expect(await code()).toBe(1000)
  // Not logged, so that only a read of the row would show it.
  await t.ctx.database.transaction((db) =>
    db.updateTable('credential').set({ expires_at: 1 }).where('id', '=', t.ana.id).execute(),
  )
  await t.revoke(t.ben)
  expect(await make.codeOf(t.ben.client.call('getMe', {}))).toBe(4010)
  expect(await code()).toBe(1000)
})
