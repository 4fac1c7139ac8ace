import { expect, test } from 'vitest'
import { revokeCredential } from '../../src/server/auth/credentials.ts'
import { readZip } from '../../src/server/domains/import/workbook/zip.ts'
import type { TestApp } from '../app.ts'
import { send } from '../contract/requests.ts'
import { inCommand } from '../in-command.ts'
import { startInMemoryS3 } from '../in-memory-s3.ts'
import * as make from '../make.ts'
import { type KeyHolder, startAppWithKeys } from './app-with-keys.ts'

// Participants download everything that is stored about them.

/** The files of a downloaded archive by their paths. */
async function download(t: TestApp, { headers }: KeyHolder): Promise<Record<string, string>> {
  const response = await fetch(`${t.url}/api/me/export`, { headers })
  expect(response.headers.get('content-type')).toBe('application/zip')
  const entries = await readZip(Buffer.from(await response.arrayBuffer()), 'my-data.zip')
  return Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes.toString()]))
}

const file = (name: string, text: string) => ({ name, data: Buffer.from(text).toString('base64') })

test.each(['a folder', 'S3'])('a participant downloads all that is theirs and nothing else, from %s', async (store) => {
  await using s3 = await startInMemoryS3()
  await using t = await startAppWithKeys('members', store === 'S3' ? { BLOBS_URL: s3.url } : {})
  const { ana, ben } = t
  const [anas, bens] = [ana.participant, ben.participant]
  const topic = make.only(
    (await ana.client.createTopic({ name: 'Mine', created_by: anas, uploaded_files: [file('a.txt', 'one')] })).NewsFeed,
  )
  const topic_id = Number(topic.id)
  await ben.client.createTopic({ name: 'Of Ben', created_by: bens, uploaded_files: [file('b.txt', 'two')] })
  await ben.client.createComment({ topic_id, comment: 'Ben below', created_by: bens })
  await ana.client.createComment({ topic_id, comment: 'Withdrawn', created_by: anas })
  await ana.client.deleteComment({ comment_id: 2 })
  await ana.client.likeTopic({ topic_id, created_by: anas })
  await ana.client.addFeedback(
    { participant_id: anas, comments: 'Well done', created_by: anas },
    { idempotencyKey: 'k' },
  )
  await ana.client.updateSharing({ email: true })
  for (const { client } of [ana, ben]) await client.updateStars({ add: [await make.event(t)] })

  const files = await download(t, ana)
  const rows = (table: string) => JSON.parse(files[`${table}.json`] ?? '')
  expect(rows('participant')).toMatchObject([{ id: anas, first_name: 'Ana', email: 'ana@summit.example' }])
  expect(rows('topic')).toMatchObject([{ id: topic_id, header: 'Mine', created_at: '2030-05-01 09:00:00' }])
  expect(rows('comment')).toMatchObject([{ comment: 'Withdrawn', is_deleted: 1 }])
  expect(rows('topic_like')).toMatchObject([{ topic_id, participant_id: anas }])
  expect(rows('feedback')).toMatchObject([{ comments: 'Well done' }])
  expect(rows('star')).toEqual([{ id: 1, participant_id: anas, event_id: 1, created_at: '2030-05-01 09:00:00' }])
  expect(rows('sharing')).toMatchObject([{ email: 1, is_hidden: 0 }])
  expect(rows('credential')).toMatchObject([{ id: ana.id, kind: 'bearer', label: 'test' }])
  expect(rows('file')).toMatchObject([{ name: 'a.txt', size: 3 }])
  expect(Object.keys(files)).not.toContain('idempotency.json')
  expect(rows('revision_record')).toEqual([])
  expect(files['files/1-a.txt']).toBe('one')
  const all = JSON.stringify(files)
  expect(all).not.toMatch(/Of Ben|Ben below|b\.txt|sha256_|secret_/)
  expect(all).not.toContain(ana.headers.authorization?.slice('Bearer '.length))
})

test('an export has nothing of others that its owner saw in a role which she has lost', async () => {
  await using t = await startAppWithKeys('members')
  const { ana, ben } = t
  const asEditor = await t.issueKey({ participant: ana.participant, roles: ['editor', 'moderator'] })
  const update = { participantId: ben.participant, designation: 'Speaker' }
  const { participant } = await asEditor.client.updateParticipant(update, { idempotencyKey: 'update' })
  expect(participant.email).toBe('ben@summit.example')
  await asEditor.client.addFeedback({ participant_id: ben.participant, comments: 'Of Ben' } as never)
  await inCommand(t, (scope) => revokeCredential(scope, asEditor.id))
  const all = JSON.stringify(await download(t, ana))
  expect(all).not.toMatch(/ben@summit|Of Ben/)
  expect(all).toContain('ana@summit.example')
})

test('an export has rows that are far apart', async () => {
  await using t = await startAppWithKeys('members')
  const { participant } = t.ana
  const ids = [1, 10_000, 10_001, 35_000]
  const rows = ids.map((id) => ({ id: id as never, header: `T${id}`, created_at: 1, created_by: participant }))
  await t.ctx.database.transaction((tx) => tx.insertInto('topic').values(rows).execute())
  const topics = JSON.parse((await download(t, t.ana))['topic.json'] ?? '') as { id: number }[]
  expect(topics.map(({ id }) => id)).toEqual(ids)
})

test('an export of more rows than a query reads has each of them once', async () => {
  await using t = await startAppWithKeys('members')
  for (let nth = 0; nth < 120; nth++) await t.ana.client.createTopic({ name: `T${nth}`, created_by: t.ana.participant })
  const topics = JSON.parse((await download(t, t.ana))['topic.json'] ?? '') as { header: string }[]
  expect(topics.map(({ header }) => header)).toEqual(Array.from({ length: 120 }, (_, nth) => `T${nth}`))
})

test('an export of more files than a query reads has each of them once', async () => {
  await using t = await startAppWithKeys('members')
  await t.ana.client.createTopic({ name: 'Lunch', created_by: t.ana.participant })
  const rows = Array.from({ length: 60 }, (_, nth) => ({
    topic_id: 1 as never,
    ...{ name: `${nth}.txt`, blob_key: `files/${nth}/${nth}`, size: 1, file_type: 'text/plain', created_at: 1 },
    created_by: t.ana.participant,
  }))
  await t.ctx.database.transaction((tx) => tx.insertInto('file').values(rows).execute())
  const paths = Object.keys(await download(t, t.ana)).filter((path) => path.startsWith('files/'))
  expect(paths).toEqual(rows.map(({ name }, nth) => `files/${nth + 1}-${name} (missing).txt`))
})

test('an export has the feedback of the participant, and none that they have entered for another', async () => {
  await using t = await startAppWithKeys('members')
  const [anas, bens] = [t.ana.participant, t.ben.participant]
  await t.owner.client.addFeedback({ participant_id: anas, comments: 'given', created_by: bens })
  await t.owner.client.addFeedback({ participant_id: bens, comments: 'entered', created_by: anas })
  await t.owner.client.addFeedback({ participant_id: bens, comments: 'of Ben', created_by: bens })
  const feedback = JSON.parse((await download(t, t.ana))['feedback.json'] ?? '') as { comments: string }[]
  expect(feedback.map(({ comments }) => comments)).toEqual(['given'])
})

test('a file that is missing on the server is named in the archive', async () => {
  await using t = await startAppWithKeys('members')
  const { client, participant } = t.ana
  const uploaded_files = [file('a.txt', 'one'), file('b.txt', 'two')]
  await client.createTopic({ name: 'T', created_by: participant, uploaded_files })
  const { blob_key } = await t.ctx.database.read
    .selectFrom('file')
    .select('blob_key')
    .where('id', '=', 1 as never)
    .executeTakeFirstOrThrow()
  await t.ctx.blobs.remove(blob_key)
  const files = await download(t, t.ana)
  expect(Object.keys(files).filter((path) => path.startsWith('files/'))).toEqual([
    'files/1-a.txt (missing).txt',
    'files/2-b.txt',
  ])
})

test('HEAD has the headers, and no cache may keep the archive', async () => {
  await using t = await startAppWithKeys('members')
  for (const method of ['HEAD', 'GET']) {
    const response = await send(t, { method, path: '/api/me/export', headers: t.ana.headers })
    expect(response.header('cache-control')).toEqual(['private, no-store'])
    expect(response.header('content-disposition')[0]).toContain('filename="my-data.zip"')
    expect(response.bytes.length > 0).toBe(method === 'GET')
  }
})

test('an organizer who is not a participant has no data to download, and a visitor has to sign in', async () => {
  await using t = await startAppWithKeys('members')
  const reasonFor = async (headers = {}) =>
    ((await make.send(t, 'GET', '/api/me/export', undefined, headers)).data as { reason: string }).reason
  expect(await reasonFor(t.owner.headers)).toBe('PARTICIPANT_NOT_FOUND')
  expect(await reasonFor()).toBe('UNAUTHENTICATED')
})
