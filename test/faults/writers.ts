import { createHash } from 'node:crypto'
import { abortUpload } from './aborted-upload.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { Target } from './server-process.ts'
import type { SentFile, Write } from './write.ts'

/** The number of its own records of each kind that a writer may change later. */
const maxOwnRecords = 40

/**
 * The number of participants in whose name a writer likes topics, one after the other. By the time that the first one is
 * next, the topic is no longer among the latest: each likes it once.
 */
const likers = 500

/** Records that a writer created. */
interface OwnRecords {
  topics: number[]
  comments: { id: number; topic: number }[]
  likes: { topic: number; actor: number }[]
  files: { id: number; topic: number; name: string }[]
}

type Mixture = readonly (readonly [kind: Write['kind'] | 'aborted upload', share: number])[]

/** The relative frequency of each kind of write. */
const shares: Mixture = [
  ['topic.created', 22],
  ['comment.created', 22],
  ['topic.updated', 12],
  ['comment.updated', 8],
  ['topic.liked', 12],
  ['topic.unliked', 4],
  ['feedback.added', 8],
  ['topic.deleted', 2],
  ['comment.deleted', 3],
  ['file.deleted', 3],
  ['aborted upload', 4],
]

interface WriterSetting {
  /** Unique among all writers of a ledger. */
  index: number
  /** The latest topics of all writers. */
  common: number[]
  mixture: Mixture
}

/**
 * One of several concurrent clients. It sends one write after the other, and changes and deletes only its own records,
 * so that the content of each record is known. It also comments on and likes the topics of others.
 */
export class Writer {
  readonly #ledger: Ledger
  readonly #random: Random
  readonly #name: string
  readonly #index: number
  readonly #own: OwnRecords = { topics: [], comments: [], likes: [], files: [] }
  readonly #common: number[]
  readonly #mixture: Mixture
  #count = 0
  #likes = 0

  constructor(ledger: Ledger, random: Random, { index, common, mixture }: WriterSetting) {
    this.#ledger = ledger
    this.#random = random
    this.#name = `w${index}`
    this.#index = index
    this.#common = common
    this.#mixture = mixture
  }

  /** Writes until stopped, or until a response is missing. */
  async run(server: Target, stop: AbortSignal): Promise<void> {
    await this.#ledger.addPeople(Array.from({ length: likers }, (_, nth) => this.#liker(nth)))
    while (!stop.aborted) {
      const kind = this.#choose()
      this.#count++
      if (kind === 'aborted upload') {
        await abortUpload(server, `${this.#name}-${this.#count} aborted`, this.#random)
        continue
      }
      const write = this.#plan(kind)
      if (!write) continue
      const response = await this.#ledger.write(server, write)
      if (!response) return
      if (response.ok) this.#remember(write, response)
    }
  }

  #liker(nth: number): number {
    return this.#index * likers + (nth % likers) + 1
  }

  #choose() {
    const mixture = this.#mixture
    const total = mixture.reduce((sum, [, share]) => sum + share, 0)
    let at = this.#random.int(1, total)
    for (const [kind, share] of mixture) {
      at -= share
      if (at <= 0) return kind
    }
    return 'topic.created'
  }

  /** @returns undefined if there is no record to change */
  #plan(kind: Write['kind']): Write | undefined {
    const random = this.#random
    const write: Write = {
      kind,
      record: 0,
      topic: 0,
      actor: this.#index * 1_000_000 + this.#count,
      text: `${this.#name}-${this.#count} ${'x'.repeat(random.chance(0.05) ? random.int(0, 900) : random.int(0, 60))}`,
      files: [],
      idempotencyKey: random.chance(0.5) ? `${this.#name}-${this.#count}` : undefined,
    }
    switch (kind) {
      case 'topic.created':
        return { ...write, files: this.#files(0.5) }
      case 'feedback.added':
        return write
      case 'comment.created':
        return on(random.pick(this.#common), (topic) => ({ ...write, topic, files: this.#files(0.15) }))
      case 'topic.liked':
        return on(random.pick(this.#common), (topic) => ({
          ...write,
          record: topic,
          topic,
          actor: this.#liker(this.#likes++),
        }))
      case 'topic.updated':
        return on(random.pick(this.#own.topics), (id) => ({
          ...write,
          record: id,
          topic: id,
          files: this.#files(0.2),
        }))
      case 'topic.deleted':
        return on(take(this.#own.topics, random), (id) => ({ ...write, record: id, topic: id, actor: 0 }))
      case 'comment.updated':
        return on(random.pick(this.#own.comments), ({ id, topic }) => ({ ...write, record: id, topic }))
      case 'comment.deleted':
        return on(take(this.#own.comments, random), ({ id, topic }) => ({ ...write, record: id, topic, actor: 0 }))
      case 'topic.unliked':
        return on(take(this.#own.likes, random), ({ topic, actor }) => ({ ...write, record: topic, topic, actor }))
      case 'file.deleted':
        return on(take(this.#own.files, random), ({ id, topic, name }) => ({
          ...write,
          record: id,
          topic,
          text: name,
          actor: 0,
        }))
    }
  }

  /** Up to two files of 100 bytes to 300 kB, small ones more often. */
  #files(probability: number): SentFile[] {
    if (!this.#random.chance(probability)) return []
    return Array.from({ length: this.#random.int(1, 2) }, (_, index) => {
      const bytes = this.#random.bytes(Math.round(100 * 3_000 ** this.#random.next()))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { name: `${this.#name}-${this.#count}-${index}.bin`, bytes, sha256 }
    })
  }

  #remember({ kind, topic, actor, files }: Write, response: { record: number; files: { id: number; name: string }[] }) {
    const owner = kind === 'topic.created' ? response.record : topic
    const added = response.files.filter(({ name }) => files.some((file) => file.name === name))
    push(this.#own.files, ...added.map((file) => ({ ...file, topic: owner })))
    if (kind === 'topic.created') {
      push(this.#own.topics, response.record)
      push(this.#common, response.record)
    }
    if (kind === 'comment.created') push(this.#own.comments, { id: response.record, topic })
    if (kind === 'topic.liked') push(this.#own.likes, { topic, actor })
  }
}

interface WriterOptions {
  /** Whether some uploads are aborted. */
  aborts: boolean
}

/** The writers of a ledger, which can be run repeatedly and remember their records. */
export function createWriters(ledger: Ledger, random: Random, count: number, { aborts }: WriterOptions): Writer[] {
  const common: number[] = []
  const mixture = shares.filter(([kind]) => aborts || kind !== 'aborted upload')
  return Array.from({ length: count }, (_, index) => new Writer(ledger, random.fork(), { index, common, mixture }))
}

const on = <T>(target: T | undefined, plan: (target: T) => Write): Write | undefined =>
  target === undefined ? undefined : plan(target)

function take<T>(from: T[], random: Random): T | undefined {
  return from.splice(random.int(0, from.length - 1), 1)[0]
}

function push<T>(to: T[], ...more: T[]): void {
  to.push(...more)
  if (to.length > maxOwnRecords) to.splice(0, to.length - maxOwnRecords)
}
