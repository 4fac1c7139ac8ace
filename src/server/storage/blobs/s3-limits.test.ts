import { expect, test } from 'vitest'
import { startInMemoryS3 } from '../../../../test/in-memory-s3.ts'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { Failure } from '../../core/failure.ts'
import { parseS3Url } from './blob-target.ts'
import { openS3Blobs } from './s3.ts'
import { backupLimits } from './s3-limits.ts'

/** More than the buffers of a connection hold. */
const bytes = Buffer.alloc(32 * 1024 ** 2)

test('an upload of a backup that makes no progress any more is given up', async () => {
  await using folder = await createTemporaryFolder()
  let chunks = 0
  const stopped = Promise.withResolvers<void>()
  await using s3 = await startInMemoryS3(undefined, async () => {
    if (++chunks > 10) await stopped.promise
  })
  const limits = { ...backupLimits, upload: () => 300 }
  const blobs = await openS3Blobs(parseS3Url(s3.url), folder.path, { limits, removeOrphansAfterMs: 1e6 })
  try {
    const error = await (await blobs.stage([bytes], Number.POSITIVE_INFINITY)).store('backup').catch((reason) => reason)
    expect(error).toBeInstanceOf(Failure)
    expect(error.cause.message).toBe('The S3 bucket summit is unavailable: Error: No response within 300 ms')
    expect([...s3.objects.keys()]).toEqual([])
  } finally {
    await blobs.close()
    stopped.resolve()
  }
})
