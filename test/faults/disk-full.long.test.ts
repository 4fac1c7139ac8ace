import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { waitUntil } from '../wait-until.ts'
import { createDataFolder } from './create-data-folder.ts'
import { DataFolder } from './data-folder.ts'
import { FaultyDisk, faultyDiskMissing } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'
import { chooseSeed, createRandom } from './random.ts'
import { type ReadyServer, startServer } from './server-process.ts'
import { noSmallDisk, SmallDisk } from './small-disk.ts'
import type { Write } from './write.ts'
import { createWriters } from './writers.ts'

if (faultyDiskMissing) console.log(`skipped tests of a disk that reports itself full: ${faultyDiskMissing}`)
if (noSmallDisk) console.log(`skipped tests of a disk that is full: ${noSmallDisk}`)

const storageFull = 5070

/** A data folder on a disk that can be filled and emptied. */
interface LimitedDisk {
  folder: DataFolder
  settings: Record<string, string>
  takeSpace(): void
  freeSpace(): void
}

test.skipIf(noSmallDisk)('a server refuses writes while its disk is full, and continues by itself', async () => {
  using disk = new SmallDisk()
  const space = { takeSpace: () => disk.fillUp(), freeSpace: () => disk.freeSpace() }
  await expectRecovery({ ...space, folder: new DataFolder(disk.dir), settings: {} })
})

test.skipIf(faultyDiskMissing)(
  'a server refuses writes while the disk reports itself full, and continues by itself',
  async () => {
    await using folder = await createDataFolder()
    using disk = new FaultyDisk()
    const space = { takeSpace: () => disk.leaveSpace(0, folder.dir), freeSpace: () => disk.freeSpace() }
    await expectRecovery({ ...space, folder, settings: disk.settings })
  },
)

/** While clients write, fills the disk and empties it again. Writes that fail must fail with 5070. */
async function expectRecovery({ folder, settings, takeSpace, freeSpace }: LimitedDisk): Promise<void> {
  const seed = chooseSeed()
  const context = `FAULT_SEED=${seed}`
  const ledger = new Ledger(folder)
  const clients = createWriters(ledger, createRandom(seed), 4, { aborts: false })
  await using server = await startServer(folder.dir, settings)
  await ledger.write(server, topicWith('before', 100_000))
  const stop = new AbortController()
  const running = clients.map((client) => client.run(server, stop.signal))
  await ledger.waitForWrites(50)

  takeSpace()
  await waitUntil('a topic is refused', async () => (await code(ledger, server, topicWith('x'))) === storageFull)
  expect(await code(ledger, server, topicWith('full', 100_000)), context).toBe(storageFull)
  const refused = () => ledger.failures.get(storageFull) ?? 0
  const before = refused()
  await waitUntil('more writes are refused', () => refused() >= before + 20)
  await expectReadable(server)

  freeSpace()
  await waitUntil('a topic is accepted', async () => (await code(ledger, server, topicWith('again', 1_000))) === 1000)
  await ledger.waitForWrites(50)
  stop.abort()
  await Promise.all(running)

  expect(
    [...ledger.failures.keys()].filter((code) => code !== 4040),
    context,
  ).toEqual([storageFull])
  expect(await ledger.resolveUnknown(server), context).toEqual([])
  expect(await ledger.check(server), context).toEqual([])
  expect(await ledger.checkBlobs(), context).toEqual({ withoutBytes: [], withoutRow: [] })
  expect(await folder.stagedBlobs(), context).toEqual([])
  await server.kill('SIGKILL')
  await using next = await startServer(folder.dir)
  expect(await ledger.checkAll(next), context).toEqual([])
  expect(await folder.integrity(), context).toBe('ok')
}

const bytes = createRandom(1).bytes(100_000)

let written = 0
function topicWith(text: string, fileBytes = 0): Write {
  const file = bytes.subarray(0, fileBytes)
  const sha256 = createHash('sha256').update(file).digest('hex')
  const files = fileBytes > 0 ? [{ name: `${text}-${++written}.bin`, bytes: file, sha256 }] : []
  const write = { kind: 'topic.created', record: 0, topic: 0, actor: 1, idempotencyKey: undefined } as const
  return { ...write, text: `${text} ${++written} ${'x'.repeat(900)}`, files }
}

const code = async (ledger: Ledger, server: ReadyServer, write: Write): Promise<number | undefined> =>
  (await ledger.write(server, write))?.code

/** Reads the first topic and its file. */
async function expectReadable({ client }: ReadyServer): Promise<void> {
  expect((await client.listTopics({ offset: 0, limit: 10 })).NewsFeed).not.toEqual([])
  const [first] = (await client.getTopic({ topic_id: 1 })).NewsFeed
  const download = await fetch(first?.content.uploaded_files[0]?.link ?? '')
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
}

test.skipIf(faultyDiskMissing).each([
  ['within a file', 10_000, '/blobs/staging/'],
  ['with a new file', 0, '/blobs/staging/'],
  ['with a new folder', 0, '/blobs/kept/'],
])('an upload that exhausts the disk %s is refused, and leaves nothing', async (_, space, path) => {
  await using folder = await createDataFolder()
  using disk = new FaultyDisk()
  await using server = await startServer(folder.dir, disk.settings)
  const upload = () => server.client.call('createTopic', { name: 'Slides', created_by: 1 }, { files })
  const files = [new File([bytes.subarray(0, 30_000)], 'slides.bin')]

  disk.leaveSpace(space, path)
  const { envelope, headers } = await upload()

  expect(envelope).toMatchObject({ response_code: storageFull, data: { reason: 'STORAGE_FULL' } })
  expect(headers.get('retry-after')).toBe('30')
  expect(await server.client.listTopics({ offset: 0, limit: 1 })).toEqual({ NewsFeed: [] })
  expect([...(await folder.stagedBlobs()), ...(await folder.storedBlobs())]).toEqual([])
  disk.freeSpace()
  expect((await upload()).envelope.response_code).toBe(1000)
})
