import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testAppIn, testPlace } from '../../test/app.ts'
import { summitHere } from '../../test/command.ts'
import { fakeS3, refusingS3 } from '../../test/fake-s3.ts'

test('a move from an S3 to a folder says without which setting to start from then on', async () => {
  await using s3 = await fakeS3((_, response) => response.end('<ListBucketResult></ListBucketResult>'))
  await using place = await testPlace()
  const to = join(place.dataDir, 'new')
  const { code, out } = await summitHere(['move', '--to', to], { ...place.settings, BLOBS_URL: s3.url })
  expect(code).toBe(0)
  const unset = ['DATABASE_URL', 'BLOBS_URL'].filter((name) => name === 'BLOBS_URL' || name in place.settings)
  const lines = [`DATA_DIR=${to}`, ...unset.map((name) => `without ${name}`)].map((line) => `  ${line}\n`)
  expect(out).toContain(`From now on start Summit with\n${lines.join('')}\n`)
})

test('a move to a folder and an S3 that refuses us leaves nothing on which a server starts, and goes on', async () => {
  await using refusing = await refusingS3()
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Before', created_by: 1 })
  }
  const to = join(place.dataDir, 'new')
  const there = { ...place, dataDir: to, settings: { DATA_DIR: to } }
  const { code, err } = await summitHere(['move', '--to', to, '--blobs', refusing.url], place.settings)
  expect([code, err]).toEqual([1, 'S3 refuses the bucket summit: AccessDenied (HTTP 403)\n'])
  await expect(testAppIn(there)).rejects.toThrow('has not finished. Run the same move again')

  expect(await summitHere(['move', '--to', to], place.settings)).toMatchObject({ code: 0, err: '' })
  await using t = await testAppIn(there)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
})
