import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DataFolder } from './data-folder.ts'
import { FaultyDisk, noFaultyDisk } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'
import { randomFrom, seedOfRun } from './random.ts'
import { type ReadyServer, startServer } from './server-process.ts'
import { noSmallDisk, SmallDisk } from './small-disk.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'
import type { Write } from './write.ts'
import { writersOf } from './writers.ts'

if (noFaultyDisk) console.log(`a disk that reports itself full is not tried: ${noFaultyDisk}`)
if (noSmallDisk) console.log(`a disk that is really full is not tried: ${noSmallDisk}`)

const storageFull = 5070

/** A place to serve from, whose space can be taken and given back. */
interface Place {
  folder: DataFolder
  settings: Record<string, string>
  takeSpace(): void
  giveSpace(): void
}

test.skipIf(noSmallDisk)('a disk fills up and empties again', { timeout: 60_000 }, async () => {
  using disk = new SmallDisk()
  const place = { takeSpace: () => disk.fillUp(), giveSpace: () => disk.giveSpace() }
  await fillsUpAndEmpties({ ...place, folder: new DataFolder(disk.dir), settings: {} })
})

test.skipIf(noFaultyDisk)('a disk says that it is full, and later that it is not', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder()
  using disk = new FaultyDisk()
  const place = { takeSpace: () => disk.leaveSpace(0, folder.dir), giveSpace: () => disk.giveSpace() }
  await fillsUpAndEmpties({ ...place, folder, settings: disk.settings })
})

/** Clients write all the while: what is refused is refused as 5070, the rest goes on, and by itself all is well again. */
async function fillsUpAndEmpties({ folder, settings, takeSpace, giveSpace }: Place): Promise<void> {
  const seed = seedOfRun()
  const context = `FAULT_SEED=${seed}`
  const ledger = new Ledger(folder)
  const clients = writersOf(ledger, randomFrom(seed), 4, { aborts: false })
  await using server = await startServer(folder.dir, settings)
  await ledger.write(server, topicWith('before', 100_000))
  const stop = new AbortController()
  const running = clients.map((client) => client.run(server, stop.signal))
  await sleep(300)

  takeSpace()
  await until('a topic is refused', async () => (await code(ledger, server, topicWith('x'))) === storageFull, 5_000)
  expect(await code(ledger, server, topicWith('full', 100_000)), context).toBe(storageFull)
  await sleep(300)
  await canRead(server)

  giveSpace()
  await until('a topic is taken', async () => (await code(ledger, server, topicWith('again', 1_000))) === 1000, 5_000)
  await sleep(300)
  stop.abort()
  await Promise.all(running)

  expect(
    [...ledger.failures.keys()].filter((code) => code !== 4040),
    context,
  ).toEqual([storageFull])
  expect(await ledger.settle(server), context).toEqual([])
  expect(await ledger.check(server), context).toEqual([])
  expect(await ledger.checkBlobs(), context).toEqual({ withoutBytes: [], withoutRow: [] })
  expect(await folder.stagedBlobs(), context).toEqual([])
  await server.kill('SIGKILL')
  await using next = await startServer(folder.dir)
  expect(await ledger.checkAll(next), context).toEqual([])
  expect(await folder.integrity(), context).toBe('ok')
}

const bytes = randomFrom(1).bytes(100_000)

let written = 0
function topicWith(text: string, fileBytes = 0): Write {
  const file = bytes.subarray(0, fileBytes)
  const sha256 = createHash('sha256').update(file).digest('hex')
  const files = fileBytes > 0 ? [{ name: `${text}-${++written}.bin`, bytes: file, sha256 }] : []
  const what = { kind: 'topic.created', record: 0, topic: 0, actor: 1, idempotencyKey: undefined } as const
  return { ...what, text: `${text} ${++written} ${'x'.repeat(900)}`, files }
}

const code = async (ledger: Ledger, server: ReadyServer, write: Write): Promise<number | undefined> =>
  (await ledger.write(server, write))?.code

/** The first topic is there, and its file comes whole. */
async function canRead({ client }: ReadyServer): Promise<void> {
  expect((await client.listTopics({ offset: 0, limit: 10 })).NewsFeed).not.toEqual([])
  const [first] = (await client.getTopic({ topic_id: 1 })).NewsFeed
  const download = await fetch(first?.content.uploaded_files[0]?.link ?? '')
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
}

test.skipIf(noFaultyDisk).each([
  ['for a part of it', 10_000, '/blobs/staging/'],
  ['for another file', 0, '/blobs/staging/'],
  ['for another folder', 0, '/blobs/kept/'],
])('an upload for which there is only room %s is refused, and leaves nothing', async (_, space, of) => {
  await using folder = await temporaryFolder()
  using disk = new FaultyDisk()
  await using server = await startServer(folder.dir, disk.settings)
  const upload = () => server.client.call('createTopic', { name: 'Slides', created_by: 1 }, { files })
  const files = [new File([bytes.subarray(0, 30_000)], 'slides.bin')]

  disk.leaveSpace(space, of)
  const { envelope, headers } = await upload()

  expect(envelope).toMatchObject({ response_code: storageFull, data: { reason: 'STORAGE_FULL' } })
  expect(headers.get('retry-after')).toBe('30')
  expect(await server.client.listTopics({ offset: 0, limit: 1 })).toEqual({ NewsFeed: [] })
  expect([...(await folder.stagedBlobs()), ...(await folder.keptBlobs())]).toEqual([])
  disk.giveSpace()
  expect((await upload()).envelope.response_code).toBe(1000)
})
