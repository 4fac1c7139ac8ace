import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startInMemoryS3 } from '../../../../test/in-memory-s3.ts'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { openBackupTarget, parseBackupTarget } from './backup-target.ts'
import { requestLimits } from './s3-limits.ts'

const bytes = Buffer.alloc(32 * 1024 ** 2, 'x')

/** Bytes that a chunk of a request has at most. */
const chunkBytes = 64 * 1024

test('an object of a backup is stored and read however slow S3 is, at a speed that clients would not be made to wait for', async () => {
  await using folder = await createTemporaryFolder()
  const slowMs = 1.5 * requestLimits.upload(bytes.length)
  const pauseMs = slowMs / (bytes.length / chunkBytes)
  await using s3 = await startInMemoryS3(
    async ({ method }) => {
      // Every first byte is late, too.
      if (method === 'GET') await sleep(1.2 * requestLimits.response)
      return false
    },
    () => sleep(pauseMs),
  )
  const store = await openBackupTarget(parseBackupTarget(s3.url), folder.path)
  try {
    await (await store.stage([bytes], Number.POSITIVE_INFINITY)).store('backup')
    expect(s3.objects.get('backup')?.equals(bytes)).toBe(true)
    const read = Buffer.concat((await (await store.open('backup'))?.bytes.toArray()) ?? [])
    expect(read.equals(bytes)).toBe(true)
    expect((await Array.fromAsync(store.list())).map(({ key }) => key)).toEqual(['backup'])
  } finally {
    await store.close()
  }
})
