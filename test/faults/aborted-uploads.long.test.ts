import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { abortUpload } from './aborted-upload.ts'
import { randomFrom, seedOfRun } from './random.ts'
import { startServer } from './server-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

const uploads = 500
const atOnce = 10

/** Some are opened once and kept, such as those of libraries that are loaded when first needed. */
const spareDescriptors = 5

test.skipIf(process.platform !== 'linux')(
  `${uploads} uploads that are broken off leave no file, no row and no open descriptor`,
  { timeout: 60_000 },
  async () => {
    const seed = seedOfRun()
    const random = randomFrom(seed)
    await using folder = await temporaryFolder()
    // Small enough that some fail for their size, with more files behind them in the same packet.
    await using server = await startServer(folder.dir, { MAX_FILE_BYTES: '150000' })
    const openDescriptors = async () => (await readdir(`/proc/${server.pid}/fd`)).length
    const before = await openDescriptors()

    for (let begun = 0; begun < uploads; begun += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, (_, index) => abortUpload(server, `aborted ${begun + index}`, random.fork())),
      )

    const context = `FAULT_SEED=${seed}`
    await until('nothing is being received', async () => (await folder.stagedBlobs()).length === 0, 10_000)
    await until(
      `no more than ${before} descriptors are open`,
      async () => (await openDescriptors()) <= before + spareDescriptors,
      10_000,
    )
    expect(await folder.keptBlobs(), context).toEqual([])
    expect(await server.client.listTopics({ offset: 0, limit: 10 }), context).toEqual({ NewsFeed: [] })
    expect(await folder.read((rows) => rows('select * from file')), context).toEqual([])
    expect(server.stderr(), context).toBe('')
  },
)
