import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { keepAliveClient, type Tally } from './keep-alive-client.ts'
import { Ledger } from './ledger.ts'
import { type Random, randomFrom, seedOfRun } from './random.ts'
import { launch, type ReadyServer, startServer } from './server-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'
import { writersOf } from './writers.ts'

/** How often it is stopped at peak; `npm run test:long` does it more often. */
const rounds = Number(process.env.FAULT_ROUNDS ?? 1)
const clients = isLong ? 50 : 20
/** A little less than the server's `lingerMs`, as a request takes its time to it. */
const lingersMs = 400

const cleanly = { code: 0, signal: null }

test(`the server is told to stop while ${clients} clients read, write and upload: each of them gets its answer`, {
  timeout: 30_000 + rounds * 30_000,
}, async () => {
  const seed = seedOfRun()
  console.log(`SIGTERM: FAULT_SEED=${seed} FAULT_ROUNDS=${rounds}`)
  const random = randomFrom(seed)
  await using folder = await temporaryFolder()
  const ledger = new Ledger(folder)
  const writers = writersOf(ledger, random, clients, { aborts: false })
  const stopMs: number[] = []
  let answered = 0

  for (let round = 1; round <= rounds; round++) {
    await using server = await startServer(folder.dir)
    const context = `round ${round} of FAULT_SEED=${seed}`
    const tally: Tally = { answered: 0, refused: 0, lost: [] }
    const stop = new AbortController()
    const running = writers.map(async (writer, index) => {
      // Every fifth takes its time to send, so that bodies are under way at any moment.
      const bodyMs = index % 5 === 0 ? () => 200 : () => 0
      using target = keepAliveClient(server.url, tally, { bodyMs })
      await Promise.all([
        writer.run(target, stop.signal),
        index % 3 === 0 && readOn(server, tally, random, stop.signal),
      ])
    })
    await until('the clients have been answered', () => tally.answered > clients, 20_000)
    await sleep(random.int(100, 600))
    const before = performance.now()
    tally.lingersUntil = before + lingersMs
    const exit = await server.kill('SIGTERM')
    stopMs.push(Math.round(performance.now() - before))
    stop.abort()
    await Promise.all(running)

    answered += tally.answered
    expect(tally.lost, context).toEqual([])
    expect(exit, context).toEqual(cleanly)
    expect(server.stderr(), context).toBe('')

    await using next = await startServer(folder.dir)
    expect(await ledger.settle(next), context).toEqual([])
    expect(await ledger.check(next), context).toEqual([])
    expect(await ledger.checkBlobs(), context).toEqual({ withoutBytes: [], withoutRow: [] })
  }
  console.log(`SIGTERM: ended after ${stopMs.join(', ')} ms; ${answered} answered, 0 lost`)
})

/** A client that reads, with pauses in which its connection waits. */
async function readOn({ url }: ReadyServer, tally: Tally, random: Random, stop: AbortSignal): Promise<void> {
  using reader = keepAliveClient(url, tally, { bodyMs: () => 0 })
  while (!stop.aborted && tally.refused === 0) {
    await reader.client.call('listTopics', { offset: 0, limit: 20 }).catch(() => {})
    await sleep(random.int(0, 200))
  }
}

test.runIf(isLong)(
  'a download that is under way when the server is told to stop arrives whole; a silent connection holds up nothing',
  async () => {
    await using folder = await temporaryFolder()
    await using server = await startServer(folder.dir)
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(silent, 'connect')
    const bytes = randomFrom(1).bytes(8_000_000)
    const file = new File([bytes], 'big.bin')
    const { NewsFeed } = await server.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [file] })
    const link = NewsFeed[0]?.content.uploaded_files[0]?.link ?? ''
    const [response] = (await once(get(link), 'response')) as [IncomingMessage]

    const exit = server.kill('SIGTERM')
    await sleep(300)
    const received = Buffer.concat(await response.toArray())
    const before = performance.now()

    expect(received.equals(bytes)).toBe(true)
    expect(await exit).toEqual(cleanly)
    expect(performance.now() - before).toBeLessThan(5_000)
  },
)

test('a second server on the same folder is refused in one line, and the first goes on', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer(folder.dir)
  const tally: Tally = { answered: 0, refused: 0, lost: [] }
  // An upload that is under way all the while: the second must not touch what the first is receiving.
  using slow = keepAliveClient(first.url, tally, { bodyMs: () => 2_500 })
  const file = new File([randomFrom(1).bytes(100_000)], 'slow.bin')
  const upload = slow.client.createTopic({ name: 'Slow', created_by: 1 }, { files: [file] })

  await using second = launch(folder.dir)
  expect(await second.exited).toEqual({ code: 1, signal: null })
  expect(second.stdout()).toBe('')
  const line = `Another Summit is already serving ${folder.dir}. Stop it, or set DATA_DIR to another folder.\n`
  expect(second.stderr()).toBe(line)

  expect((await upload).NewsFeed).toHaveLength(1)
  expect((await first.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual((await upload).NewsFeed)
  expect(first.stderr()).toBe('')
})
