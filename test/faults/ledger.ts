import {
  blobsOf,
  changesIn,
  type DataFolder,
  factsOfFeedback,
  factsOfRows,
  findTrace,
  fromTheStart,
  type Marks,
  marksOf,
  type Rows,
} from './data-folder.ts'
import { differences, Expected, type Facts, factOfFeedback, factsOfTopics } from './expected.ts'
import { differencesSeen } from './seen.ts'
import type { Target } from './server-process.ts'
import { type Reply, send, type Write } from './write.ts'

/** 5031: the server itself does not know. */
const outcomeUnknown = 5031

/**
 * Every write, logged before it is sent and after its answer. An acknowledged one must be there exactly once, a
 * refused one not at all, and one without an answer once or not at all, which {@link settle} finds out.
 */
export class Ledger {
  readonly expected = new Expected()
  /** How many writes ended how. */
  readonly counts = { ok: 0, failed: 0, unknownKept: 0, unknownLost: 0, repeated: 0 }
  /** How often each failure was answered. */
  readonly failures = new Map<number, number>()
  readonly #folder: DataFolder
  /** Sent, and not answered (yet). */
  readonly #open = new Set<Write>()
  #acknowledgedBy: string[] = []
  #marks: Marks = fromTheStart
  #changesBefore = new Map<string, number>()

  constructor(folder: DataFolder) {
    this.#folder = folder
  }

  /** Sends a write. @returns its answer, or undefined when there is none that says what became of it */
  async write(server: Target, write: Write): Promise<Reply | undefined> {
    this.#open.add(write)
    const reply = await send(server.client, write).catch(() => undefined)
    if (!reply || reply.code === outcomeUnknown) return undefined
    this.#close(write, reply)
    return reply
  }

  #close(write: Write, { ok, code, record, requestId, replayed }: Reply): void {
    this.#open.delete(write)
    if (!ok) {
      this.counts.failed++
      this.failures.set(code, (this.failures.get(code) ?? 0) + 1)
      return
    }
    this.counts.ok++
    this.expected.apply(write, record)
    // The row in the log of a write that is replayed names the request that nobody had an answer to.
    if (!replayed) this.#acknowledgedBy.push(requestId)
  }

  /**
   * Finds out what became of the writes without an answer, once the server is up again. Those with an
   * Idempotency-Key are sent again, which must do what is still undone and nothing else.
   * @returns what is wrong, one line each
   */
  async settle(server: Target): Promise<string[]> {
    const problems: string[] = []
    for (const write of [...this.#open]) {
      const found = await this.#folder.read((rows) => findTrace(rows, write))
      if (found === undefined) this.counts.unknownLost++
      else this.counts.unknownKept++
      if (write.idempotencyKey === undefined) {
        this.#open.delete(write)
        if (found !== undefined) this.expected.apply(write, found)
        continue
      }
      const reply = await send(server.client, write)
      this.counts.repeated++
      this.#close(write, reply)
      const wanted = found === undefined ? !reply.replayed : reply.ok && reply.replayed && reply.record === found
      if (!wanted) problems.push(`${write.kind} "${write.text}" repeated (found: ${found}): ${JSON.stringify(reply)}`)
    }
    return problems
  }

  /**
   * Compares all that happened since the last check with the database and with what the interface answers.
   * @returns what is wrong, one line each
   */
  async check(server: Target): Promise<string[]> {
    const since = this.#marks
    const touched = [...this.expected.touched]
    const inDatabase = await this.#folder.read(async (rows) => {
      this.#marks = await marksOf(rows)
      return [...(await this.#differencesInRows(rows, touched, since)), ...(await this.#differencesInLog(rows, since))]
    })
    const seen = await differencesSeen(server, this.expected, touched, since.feedback)
    this.#acknowledgedBy = []
    this.#changesBefore = new Map(this.expected.changes)
    this.expected.forgetTouched()
    return [...inDatabase, ...seen]
  }

  /** Compares everything from the start with the database; the interface is asked for every topic that is listed. */
  async checkAll(server: Target): Promise<string[]> {
    const topics = [...this.expected.topics.keys()]
    const inDatabase = await this.#folder.read(async (rows) => {
      const { changes } = await changesIn(rows, fromTheStart)
      return [
        ...(await this.#differencesInRows(rows, topics, fromTheStart)),
        ...differences(asFacts(this.expected.changes), asFacts(changes)),
      ]
    })
    const kept = [...this.expected.topics].filter(([, topic]) => !topic.isDeleted)
    const wanted = new Map(kept.map(([id, { text }]) => [`topic ${id}`, text]))
    const listed = new Map<string, string>()
    const pageRows = 1_000
    for (let offset = 0; offset <= kept.length; offset += pageRows)
      for (const { id, content } of (await server.client.listTopics({ offset, limit: pageRows })).NewsFeed)
        listed.set(`topic ${id}`, content.header)
    return [...inDatabase, ...differences(wanted, listed)]
  }

  /** @returns what the rows and the files that they name say differently, one line each */
  async checkBlobs(): Promise<{ withoutBytes: string[]; withoutRow: string[] }> {
    // Files first: a row is only written once its bytes are there.
    const kept = new Set(await this.#folder.keptBlobs())
    const named = (await this.#folder.read(blobsOf)).map(({ key }) => key)
    const withoutBytes = named.filter((key) => !kept.has(key))
    for (const key of named) kept.delete(key)
    return { withoutBytes, withoutRow: [...kept] }
  }

  async #differencesInRows(rows: Rows, topics: number[], since: Marks): Promise<string[]> {
    const feedback = [...this.expected.feedback]
      .filter(([id]) => id > since.feedback)
      .map(([id, { by, text }]) => [`feedback ${id}`, factOfFeedback(by, text)] as const)
    return [
      ...differences(factsOfTopics(this.expected, topics), await factsOfRows(rows, topics, since)),
      ...differences(new Map(feedback), await factsOfFeedback(rows, since)),
    ]
  }

  async #differencesInLog(rows: Rows, since: Marks): Promise<string[]> {
    const { changes, requests } = await changesIn(rows, since)
    const added = [...this.expected.changes]
      .map(([change, count]) => [change, count - (this.#changesBefore.get(change) ?? 0)] as const)
      .filter(([, count]) => count > 0)
    const unlogged = this.#acknowledgedBy.filter((requestId) => requests.get(requestId) !== 1)
    return [
      ...differences(asFacts(new Map(added)), asFacts(changes)),
      ...unlogged.map((requestId) => `request ${requestId}: ${requests.get(requestId) ?? 0} rows in the change log`),
    ]
  }
}

const asFacts = (counts: Map<string, number>): Facts =>
  new Map([...counts].map(([what, count]) => [what, `${count} times`]))
