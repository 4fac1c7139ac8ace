import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testPlace } from '../../test/app.ts'
import { summitHere } from '../../test/command.ts'
import { fakeS3 } from '../../test/fake-s3.ts'

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
