import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { refusal, startFakeS3, startRefusingS3 } from '../../test/fake-s3.ts'

test('an S3 bucket that denies access is reported in one line, with exit code 1', async () => {
  await using denied = await startRefusingS3()
  await using storage = await createTestStorage()
  const settings = { ...storage.settings, BLOBS_URL: denied.url }
  const line = 'S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'
  expect(await runSummitInProcess(['sweep'], settings)).toEqual({ code: 1, out: '', err: line })
})

test('a sweep of an S3 bucket without delete permission fails with one line that has the S3 error', async () => {
  const orphans = ['one', 'two'].map(
    (name) => `<Contents><Key>files/${name}</Key><LastModified>2020-01-01T00:00:00Z</LastModified></Contents>`,
  )
  await using undeletable = await startFakeS3((request, response) => {
    if (request.method === 'DELETE') response.writeHead(403).end(refusal)
    else response.end(`<ListBucketResult>${orphans.join('')}</ListBucketResult>`)
  })
  await using storage = await createTestStorage()
  const { code, err } = await runSummitInProcess(['sweep', '--apply'], {
    ...storage.settings,
    BLOBS_URL: undeletable.url,
  })
  const line = '2 blobs could not be removed. S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'
  expect([code, err]).toEqual([1, line])
})

test('an operator lists and removes orphaned files, but not recent ones', async () => {
  await using t = await startTestApp()
  const file = new File(['slides'], 'slides.txt')
  await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [file] })
  const put = async (key: string) => (await t.ctx.blobs.stage([Buffer.from(key)], 1_000)).store(key)
  await put('files/00/orphan')
  const stored = join(t.dataDir, 'blobs', 'kept')
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const entry of await readdir(stored, { recursive: true }))
    await utimes(join(stored, entry), yesterday, yesterday)
  await put('files/00/fresh')
  const { settings } = t
  const keys = async () => Array.fromAsync(t.ctx.blobs.list(), ({ key }) => key)

  const { out } = await runSummitInProcess(['sweep'], settings)
  expect(out).toMatch(/^1 orphaned file older .*\n {2}files\/00\/orphan\n\nNothing was removed/)
  expect(await keys()).toHaveLength(3)

  expect((await runSummitInProcess(['sweep', '--apply'], settings)).out).toContain('1 removed')
  expect(await keys()).toHaveLength(2)
  expect(await keys()).not.toContain('files/00/orphan')
})
