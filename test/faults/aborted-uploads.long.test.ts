import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { waitUntil } from '../wait-until.ts'
import { abortUpload } from './aborted-upload.ts'
import { createDataFolder } from './create-data-folder.ts'
import { chooseSeed, createRandom } from './random.ts'
import { startServer } from './server-process.ts'

const uploads = 500
const batchSize = 10

/** Some stay open after their first use, such as those of libraries. */
const extraDescriptors = 5

test.skipIf(process.platform !== 'linux')(
  '500 aborted uploads leave no file, no row and no open descriptor',
  async () => {
    const seed = chooseSeed()
    const random = createRandom(seed)
    await using folder = await createDataFolder()
    // So small that some uploads fail for their size, with further files in the same packet.
    await using server = await startServer(folder.dir, { MAX_FILE_BYTES: '150000' })
    const openDescriptors = async () => (await readdir(`/proc/${server.pid}/fd`)).length
    const before = await openDescriptors()

    for (let count = 0; count < uploads; count += batchSize)
      await Promise.all(
        Array.from({ length: batchSize }, (_, index) => abortUpload(server, `aborted ${count + index}`, random.fork())),
      )

    const context = `FAULT_SEED=${seed}`
    await waitUntil('no upload is staged', async () => (await folder.stagedBlobs()).length === 0)
    await waitUntil(
      `about ${before} descriptors are open`,
      async () => (await openDescriptors()) <= before + extraDescriptors,
    )
    expect(await folder.storedBlobs(), context).toEqual([])
    expect(await server.client.listTopics({ offset: 0, limit: 10 }), context).toEqual({ NewsFeed: [] })
    expect(await folder.read((rows) => rows('select * from file')), context).toEqual([])
    expect(server.stderr(), context).toBe('')
  },
)
