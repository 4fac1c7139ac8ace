import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startFakeS3, startRefusingS3 } from '../../test/fake-s3.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import { readConfig } from '../server/config/config.ts'
import { openDatabase } from '../server/storage/db/open.ts'

/** Restores the state of a destination before the last step of a move. */
async function unfinishMove(storage: Pick<TestStorage, 'settings'>): Promise<void> {
  const database = await openDatabase(readConfig(storage.settings).config.database, () => {})
  await database.transaction(async (tx) => {
    await tx.insertInto('secret').values({ name: 'unfinished_move', value: '' }).execute()
  })
  await database.close()
}

const withFile = (name: string) => ({ name, created_by: 1, uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })

test('a move from S3 to a folder prints the setting to unset', async () => {
  await using s3 = await startFakeS3((_, response) => response.end('<ListBucketResult></ListBucketResult>'))
  await using storage = await createTestStorage()
  await (await startTestAppOn(storage))[Symbol.asyncDispose]()
  const to = join(storage.dataDir, 'new', 'storage')
  const { code, out } = await runSummitInProcess(['move', '--to', to], { ...storage.settings, BLOBS_URL: s3.url })
  expect(code).toBe(0)
  const unset = ['DATABASE_URL', 'BLOBS_URL'].filter((name) => name === 'BLOBS_URL' || name in storage.settings)
  const lines = [`DATA_DIR=${to}`, ...unset.map((name) => `without ${name}`)].map((line) => `  ${line}\n`)
  expect(out).toContain(`From now on, start Summit with\n${lines.join('')}\n`)
})

test('after a failed move no server starts on the destination, and the move can be repeated', async () => {
  await using denied = await startRefusingS3()
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic({ name: 'Before', created_by: 1 })
  }
  const to = join(storage.dataDir, 'new')
  const there = { ...storage, dataDir: to, settings: { DATA_DIR: to } }
  const { code, err } = await runSummitInProcess(['move', '--to', to, '--blobs', denied.url], storage.settings)
  expect([code, err]).toEqual([1, 'S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'])
  await expect(startTestAppOn(there)).rejects.toThrow('has not finished. Run the same command again')

  expect(await runSummitInProcess(['move', '--to', to], storage.settings)).toMatchObject({ code: 0, err: '' })
  await using t = await startTestAppOn(there)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
})

test('a move is not repeated while a server uses the old data directory again', async ({ skip }) => {
  await using storage = await createTestStorage()
  skip(
    storage.settings.DATABASE_URL !== undefined,
    'several servers may use a database on a server, so nothing locks it',
  )
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t)
  }
  const move = () => runSummitInProcess(['move', '--to', join(storage.dataDir, 'new')], storage.settings)
  expect(await move()).toMatchObject({ code: 0, err: '' })
  expect(await runSummitInProcess(['move', '--revoke'], storage.settings)).toMatchObject({ code: 0, err: '' })
  {
    await using t = await startTestAppOn(storage)
    const { code, out, err } = await move()
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^Another Summit is already serving /)
    await make.topic(t)
  }
  await using t = await startTestAppOn(storage)
  expect((await t.client.listTopics({ offset: 0, limit: 9 })).NewsFeed).toHaveLength(2)
})

test('a move that was interrupted after it had marked the source can be continued', async () => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t)
  }
  const to = join(storage.dataDir, 'new')
  const there = { ...storage, dataDir: to, settings: { DATA_DIR: to } }
  const move = (folder = to) => runSummitInProcess(['move', '--to', folder], storage.settings)
  expect(await move()).toMatchObject({ code: 0, err: '' })
  await unfinishMove(there)
  await expect(startTestAppOn(there)).rejects.toThrow('has not finished. Run the same command again')
  expect((await move(`${to}er`)).err).toMatch(/^This summit was moved to /)

  expect(await move()).toMatchObject({ code: 0, err: '' })
  await expect(startTestAppOn(storage)).rejects.toThrow(/^This summit was moved to /)
  await using t = await startTestAppOn(there)
  expect((await t.client.listTopics({ offset: 0, limit: 9 })).NewsFeed).toHaveLength(1)
})

test('a move of files can be repeated after uploads to the new store, but not if it has unknown files', async () => {
  await using storage = await createTestStorage()
  await using s3 = await startInMemoryS3()
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic(withFile('Before'))
  }
  const move = () => runSummitInProcess(['move', '--blobs', s3.url], storage.settings)
  expect(await move()).toMatchObject({ code: 0, err: '' })
  {
    await using t = await startTestAppOn({ ...storage, settings: { ...storage.settings, BLOBS_URL: s3.url } })
    await t.client.createTopic(withFile('After'))
  }
  expect(s3.objects.size).toBe(2)
  expect(await move()).toMatchObject({ code: 0, err: '' })
  s3.objects.set('files/stranger', Buffer.from('bytes'))
  expect(await move()).toMatchObject({
    code: 1,
    err:
      'The target of the move has files that the source does not have and no row refers to (1), for example ' +
      'files/stranger. If they do not belong to another summit, remove them, then run the same command again; it ' +
      'continues where it stopped.\n',
  })
  expect(s3.objects.size).toBe(3)
})

test('repeating a finished move of rows without its files fails until the files have moved, too', async () => {
  await using s3 = await startInMemoryS3()
  await using first = await createTestStorage()
  const storage = { ...first, settings: { ...first.settings, BLOBS_URL: s3.url } }
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic(withFile('Before'))
  }
  const to = join(storage.dataDir, 'new')
  const rows = ['move', '--to', to, '--blobs', s3.url]
  expect(await runSummitInProcess(rows, storage.settings)).toMatchObject({ code: 0, err: '' })

  const again = (settings: Record<string, string>) => runSummitInProcess(['move', '--to', to], settings)
  expect(await again(storage.settings)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^The rows of this summit were moved already, but files that they refer to were not \(1\), for example files\/.*\. Run /,
    ),
  })
  expect(await runSummitInProcess(rows, storage.settings)).toMatchObject({ code: 0, err: '' })

  expect(await again({ DATA_DIR: to, BLOBS_URL: s3.url })).toMatchObject({ code: 0, err: '' })
  expect(await again(storage.settings)).toMatchObject({ code: 0, err: '' })
  await using there = await startTestAppOn({ ...storage, dataDir: to, settings: { DATA_DIR: to } })
  const { NewsFeed } = await there.client.listTopics({ offset: 0, limit: 1 })
  const link = NewsFeed[0]?.content.uploaded_files?.[0]?.link
  expect(await (await fetch(new URL(new URL(link ?? '').pathname, there.url))).text()).toBe('Hello')
})

test.each([
  'elsewhere',
  'postgres//summit',
  'postgres:summit',
  'mysql://db.example/summit',
  'postgres://db.example/summit?sslmod=verify-full',
])('a move to %s, which may be a mistyped URL, is rejected', async (to) => {
  await using storage = await createTestStorage()
  const err = expect.stringMatching(
    /^--to must be a folder that begins with \/, \.\/ or \.\.\/; otherwise it must be a URL such as postgres:.*\n$/,
  )
  expect(await runSummitInProcess(['move', '--to', to], storage.settings)).toEqual({ code: 1, out: '', err })
  expect(existsSync(to)).toBe(false)
})

test('a move reports the data left at the old location, and fails if the destination is the current one', async () => {
  await using storage = await createTestStorage()
  const { dataDir, settings } = storage
  const old = { ...settings, DATA_DIR: relative('.', dataDir) }
  // A database on a server may move to the folder of its files.
  if (!settings.DATABASE_URL)
    expect((await runSummitInProcess(['move', '--to', dataDir], old)).err).toBe(
      'The summit is already at this destination.\n',
    )

  const { code, out } = await runSummitInProcess(['move', '--to', join(dataDir, 'new')], old)
  expect(code).toBe(0)
  const unset = settings.DATABASE_URL ? '  without DATABASE_URL\n' : ''
  expect(out).toContain(`From now on, start Summit with\n  DATA_DIR=${join(dataDir, 'new')}\n${unset}\n`)
  const lines = out.trimEnd().split('\n').slice(-2)
  expect(lines[0]).toMatch(/^The data in .+ was left in place and marked as moved: a server or command with the old/)
  expect(lines[1]).toMatch(/^Change the settings now wherever Summit is started/)
})
