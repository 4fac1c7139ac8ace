import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { refusal, startFakeS3 } from '../../test/fake-s3.ts'
import * as make from '../../test/make.ts'
import { readConfig } from '../server/config/config.ts'
import { findNewLocation, markMoved } from '../server/lifecycle/start/moved.ts'
import { withContext } from './with-context.ts'

test('repeating a finished move prints the settings to start with and changes nothing', async () => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic({ name: 'Before', created_by: 1 })
  }
  const to = join(storage.dataDir, 'new')
  const move = () => runSummitInProcess(['move', '--to', to], storage.settings)
  const first = await move()
  expect(first.code).toBe(0)
  const settings = (out: string) => out.slice(out.indexOf('From now on, start Summit with'))
  expect(settings(first.out)).toContain(`  DATA_DIR=${to}\n`)

  const titles = async (t: TestApp) =>
    (await t.client.listTopics({ offset: 0, limit: 9 })).NewsFeed.map(({ content }) => content.header)
  const repeated = `This summit has already been moved to ${to} (DATA_DIR), and nothing has been written here since.`
  expect(await move()).toEqual({ code: 0, err: '', out: `${repeated} ${settings(first.out)}` })
  {
    await using there = await startTestAppOn({ ...storage, dataDir: to, settings: { DATA_DIR: to } })
    await there.client.createTopic({ name: 'After', created_by: 1 })
    expect(await move()).toEqual({ code: 0, err: '', out: `${repeated} ${settings(first.out)}` })
    expect(await titles(there)).toEqual(['After', 'Before'])
  }
  // The old copy is neither served nor changed until the operator says so.
  const moved = new RegExp(`^This summit was moved to ${to}, and this is an old copy\\. `)
  await expect(startTestAppOn(storage)).rejects.toThrow(moved)
  const { err: refusal, about } = await runSummitInProcess(['export', 'topics'], storage.settings)
  expect(refusal).toMatch(moved)
  expect(about).toContain(`1 topic; moved to ${to}\n`)
  expect(await runSummitInProcess(['move', '--revoke'], storage.settings)).toMatchObject({ code: 0, err: '' })
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic({ name: 'Astray', created_by: 1 })
  }
  const { code, err } = await move()
  expect([code, err]).toEqual([1, 'There is already a summit here. Specify a new folder or an empty database.\n'])
  await using there = await startTestAppOn({ ...storage, dataDir: to, settings: { DATA_DIR: to } })
  expect(await titles(there)).toEqual(['After', 'Before'])
})

test('a summit that was written to after its copy was verified is not marked as moved', async () => {
  await using storage = await createTestStorage()
  await using t = await startTestAppOn(storage)
  const { database } = t.ctx
  const verified = await database.position()
  await make.topic(t)
  await expect(markMoved(database, verified, '/new')).rejects.toThrow('The summit was written to while it was copied')
  expect(await findNewLocation(database.read)).toBeUndefined()
  await markMoved(database, await database.position(), '/new')
  expect(await findNewLocation(database.read)).toBe('/new')
})

test('a command that began before a move does not write to the old copy after it', async () => {
  await using storage = await createTestStorage()
  await (await startTestAppOn(storage))[Symbol.asyncDispose]()
  const to = join(storage.dataDir, 'new')
  const { config } = readConfig(storage.settings)
  await withContext(config, async (ctx) => {
    await make.participant({ ctx }, { email: 'before@example.org' })
    expect(await runSummitInProcess(['move', '--to', to], storage.settings)).toMatchObject({ code: 0, err: '' })
    const write = make.participant({ ctx }, { email: 'after@example.org' })
    await expect(write).rejects.toThrow(`This summit was moved to ${to}, and this is an old copy.`)
    const participants = await ctx.database.read.selectFrom('participant').select('email').execute()
    expect(participants).toEqual([{ email: 'before@example.org' }])
  })
})

test('a move to a read-only S3 bucket fails with one line that has the bucket and the S3 error', async () => {
  const empty = '<ListBucketResult></ListBucketResult>'
  await using readOnly = await startFakeS3((request, response) => {
    request.resume()
    if (request.method === 'PUT') response.writeHead(403).end(refusal)
    else response.writeHead(request.method === 'HEAD' ? 404 : 200).end(empty)
  })
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [new File(['slides'], 'slides.txt')] })
  }
  const { code, err } = await runSummitInProcess(['move', '--blobs', readOnly.url], storage.settings)
  expect([code, err]).toEqual([1, 'S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'])
})

test('a move to a folder that cannot be created fails with one line', async () => {
  await using storage = await createTestStorage()
  const { code, out, err } = await runSummitInProcess(['move', '--to', '/proc/summit/data'], storage.settings)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^DATA_DIR cannot be used as a folder: .*\n$/)
})
