import { waitUntil } from '../wait-until.ts'
import { findApiDifferences } from './api-facts.ts'
import {
  countChanges,
  type DataFolder,
  findEvidence,
  type MaxIds,
  type Query,
  readBlobs,
  readFacts,
  readFeedbackFacts,
  readMaxIds,
  zeroIds,
} from './data-folder.ts'
import { ExpectedData, expectedRowFacts, type Facts, factOfFeedback, findDifferences } from './expected.ts'
import type { Target } from './server-process.ts'
import { sendWrite, type Write, type WriteResponse } from './write.ts'

/** 5031 OUTCOME_UNKNOWN */
const outcomeUnknown = 5031

/**
 * Records each write before it is sent and after its response. An acknowledged write must be stored exactly once, a
 * refused one not at all. A write without a response may be stored once or not at all, which {@link resolveUnknown}
 * determines.
 */
export class Ledger {
  readonly expected = new ExpectedData()
  /** The number of writes by outcome. */
  readonly counts = { ok: 0, failed: 0, unknownStored: 0, unknownLost: 0, repeated: 0 }
  /** The number of failures by `response_code`. */
  readonly failures = new Map<number, number>()
  readonly #folder: DataFolder
  /** Sent without a response so far. */
  readonly #pending = new Set<Write>()
  #acknowledgedBy: string[] = []
  #maxIds: MaxIds = zeroIds
  #changesBefore = new Map<string, number>()

  constructor(folder: DataFolder) {
    this.#folder = folder
  }

  /** Adds participants with these ids, which no request can do; those who exist stay. */
  addPeople(ids: readonly number[]): Promise<void> {
    const rows = ids.map((id) => `(${id}, 1)`).join(', ')
    return this.#folder.execute(`insert into participant (id, created_at) values ${rows} on conflict do nothing`)
  }

  /** Waits until so many more writes have been acknowledged. */
  async waitForWrites(more: number): Promise<void> {
    const target = this.counts.ok + more
    await waitUntil(`${more} more writes have been acknowledged`, () => this.counts.ok >= target)
  }

  /** Sends a write. @returns the response, or undefined if the outcome is unknown */
  async write(server: Target, write: Write): Promise<WriteResponse | undefined> {
    this.#pending.add(write)
    const response = await sendWrite(server.client, write).catch(() => undefined)
    if (!response || response.code === outcomeUnknown) return undefined
    this.#complete(write, response)
    return response
  }

  #complete(write: Write, { ok, code, record, requestId, replayed }: WriteResponse): void {
    this.#pending.delete(write)
    if (!ok) {
      this.counts.failed++
      this.failures.set(code, (this.failures.get(code) ?? 0) + 1)
      return
    }
    this.counts.ok++
    this.expected.apply(write, record)
    // The change row of a replayed write has the id of the original request.
    if (!replayed) this.#acknowledgedBy.push(requestId)
  }

  /**
   * Determines the outcome of writes without a response, once the server is up again. Those with an Idempotency-Key are
   * sent again, which must apply the write if it was not stored, and replay it if it was.
   * @returns one line for each problem
   */
  async resolveUnknown(server: Target): Promise<string[]> {
    const problems: string[] = []
    for (const write of [...this.#pending]) {
      const found = await this.#folder.read((query) => findEvidence(query, write))
      if (found === undefined) this.counts.unknownLost++
      else this.counts.unknownStored++
      if (write.idempotencyKey === undefined) {
        this.#pending.delete(write)
        if (found !== undefined) this.expected.apply(write, found)
        continue
      }
      const response = await sendWrite(server.client, write)
      this.counts.repeated++
      this.#complete(write, response)
      const { ok, replayed, record } = response
      const isExpected = found === undefined ? !replayed : ok && replayed && record === found
      if (!isExpected)
        problems.push(`${write.kind} "${write.text}" repeated (found: ${found}): ${JSON.stringify(response)}`)
    }
    return problems
  }

  /**
   * Compares everything that was written since the last check with the database and with the API.
   * @returns one line for each problem
   */
  async check(server: Target): Promise<string[]> {
    const since = this.#maxIds
    const touched = [...this.expected.touched]
    const inDatabase = await this.#folder.read(async (query) => {
      this.#maxIds = await readMaxIds(query)
      return [
        ...(await this.#findRowDifferences(query, touched, since)),
        ...(await this.#findLogDifferences(query, since)),
      ]
    })
    const inApi = await findApiDifferences(server, this.expected, touched, since.feedback)
    this.#acknowledgedBy = []
    this.#changesBefore = new Map(this.expected.changes)
    this.expected.clearTouched()
    return [...inDatabase, ...inApi]
  }

  /** Compares everything ever written with the database, and all topics with the API. */
  async checkAll(server: Target): Promise<string[]> {
    const topics = [...this.expected.topics.keys()]
    const inDatabase = await this.#folder.read(async (query) => {
      const { changes } = await countChanges(query, zeroIds)
      return [
        ...(await this.#findRowDifferences(query, topics, zeroIds)),
        ...findDifferences(asFacts(this.expected.changes), asFacts(changes)),
      ]
    })
    const present = [...this.expected.topics].filter(([, topic]) => !topic.isDeleted)
    const expected = new Map(present.map(([id, { text }]) => [`topic ${id}`, text]))
    const listed = new Map<string, string>()
    const pageRows = 1_000
    for (let offset = 0; offset <= present.length; offset += pageRows)
      for (const { id, content } of (await server.client.listTopics({ offset, limit: pageRows })).NewsFeed)
        listed.set(`topic ${id}`, content.header)
    return [...inDatabase, ...findDifferences(expected, listed)]
  }

  /** @returns the keys of rows whose blob is missing, and of orphaned blobs */
  async checkBlobs(): Promise<{ withoutBytes: string[]; withoutRow: string[] }> {
    // Files first: rows are written after their bytes.
    const stored = new Set(await this.#folder.storedBlobs())
    const keys = (await this.#folder.read(readBlobs)).map(({ key }) => key)
    const withoutBytes = keys.filter((key) => !stored.has(key))
    for (const key of keys) stored.delete(key)
    return { withoutBytes, withoutRow: [...stored] }
  }

  async #findRowDifferences(query: Query, topics: number[], since: MaxIds): Promise<string[]> {
    const feedback = [...this.expected.feedback]
      .filter(([id]) => id > since.feedback)
      .map(([id, { by, text }]) => [`feedback ${id}`, factOfFeedback(by, text)] as const)
    return [
      ...findDifferences(expectedRowFacts(this.expected, topics), await readFacts(query, topics, since)),
      ...findDifferences(new Map(feedback), await readFeedbackFacts(query, since)),
    ]
  }

  async #findLogDifferences(query: Query, since: MaxIds): Promise<string[]> {
    const { changes, requests } = await countChanges(query, since)
    const added = [...this.expected.changes]
      .map(([change, count]) => [change, count - (this.#changesBefore.get(change) ?? 0)] as const)
      .filter(([, count]) => count > 0)
    const unlogged = this.#acknowledgedBy.filter((requestId) => requests.get(requestId) !== 1)
    return [
      ...findDifferences(asFacts(new Map(added)), asFacts(changes)),
      ...unlogged.map((requestId) => `request ${requestId}: ${requests.get(requestId) ?? 0} rows in the change log`),
    ]
  }
}

const asFacts = (counts: Map<string, number>): Facts =>
  new Map([...counts].map(([subject, count]) => [subject, `${count} times`]))
