import { createHash } from 'node:crypto'
import { abortUpload } from './aborted-upload.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { Target } from './server-process.ts'
import type { SentFile, Write } from './write.ts'

/** What a writer made and may come back to; the oldest are let go. */
const remembered = 40

interface Mine {
  topics: number[]
  comments: { id: number; topic: number }[]
  likes: { topic: number; actor: number }[]
  files: { id: number; topic: number; name: string }[]
}

type Mixture = readonly (readonly [kind: Write['kind'] | 'aborted upload', share: number])[]

/** How often each thing is done, of the sum of all. */
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
 * One of several clients that write at once. It changes and deletes only what it made itself, one write after the
 * other, so that what every record must hold is known; it comments on and likes what others made as well.
 */
export class Writer {
  readonly #ledger: Ledger
  readonly #random: Random
  readonly #name: string
  readonly #index: number
  readonly #mine: Mine = { topics: [], comments: [], likes: [], files: [] }
  readonly #common: number[]
  readonly #mixture: Mixture
  #count = 0

  constructor(ledger: Ledger, random: Random, { index, common, mixture }: WriterSetting) {
    this.#ledger = ledger
    this.#random = random
    this.#name = `w${index}`
    this.#index = index
    this.#common = common
    this.#mixture = mixture
  }

  /** Writes until it is told to stop or gets no answer. */
  async run(server: Target, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const kind = this.#choose()
      this.#count++
      if (kind === 'aborted upload') {
        await abortUpload(server, `${this.#name}-${this.#count} aborted`, this.#random)
        continue
      }
      const write = this.#plan(kind)
      if (!write) continue
      const reply = await this.#ledger.write(server, write)
      if (!reply) return
      if (reply.ok) this.#remember(write, reply)
    }
  }

  #choose() {
    const mixture = this.#mixture
    const all = mixture.reduce((sum, [, share]) => sum + share, 0)
    let at = this.#random.int(1, all)
    for (const [kind, share] of mixture) {
      at -= share
      if (at <= 0) return kind
    }
    return 'topic.created'
  }

  /** @returns undefined while there is nothing yet that it could be done to */
  #plan(kind: Write['kind']): Write | undefined {
    const random = this.#random
    const write: Write = {
      kind,
      record: 0,
      topic: 0,
      // Another participant every time: each likes a topic once.
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
        return on(random.pick(this.#common), (topic) => ({ ...write, record: topic, topic }))
      case 'topic.updated':
        return on(random.pick(this.#mine.topics), (id) => ({
          ...write,
          record: id,
          topic: id,
          files: this.#files(0.2),
        }))
      case 'topic.deleted':
        return on(take(this.#mine.topics, random), (id) => ({ ...write, record: id, topic: id, actor: 0 }))
      case 'comment.updated':
        return on(random.pick(this.#mine.comments), ({ id, topic }) => ({ ...write, record: id, topic }))
      case 'comment.deleted':
        return on(take(this.#mine.comments, random), ({ id, topic }) => ({ ...write, record: id, topic, actor: 0 }))
      case 'topic.unliked':
        return on(take(this.#mine.likes, random), ({ topic, actor }) => ({ ...write, record: topic, topic, actor }))
      case 'file.deleted':
        return on(take(this.#mine.files, random), ({ id, topic, name }) => ({
          ...write,
          record: id,
          topic,
          text: name,
          actor: 0,
        }))
    }
  }

  /** None, or one or two of 100 bytes to 300 kB, small ones more often. */
  #files(share: number): SentFile[] {
    if (!this.#random.chance(share)) return []
    return Array.from({ length: this.#random.int(1, 2) }, (_, index) => {
      const bytes = this.#random.bytes(Math.round(100 * 3_000 ** this.#random.next()))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { name: `${this.#name}-${this.#count}-${index}.bin`, bytes, sha256 }
    })
  }

  #remember({ kind, topic, actor, files }: Write, reply: { record: number; files: { id: number; name: string }[] }) {
    const owner = kind === 'topic.created' ? reply.record : topic
    const added = reply.files.filter(({ name }) => files.some((file) => file.name === name))
    push(this.#mine.files, ...added.map((file) => ({ ...file, topic: owner })))
    if (kind === 'topic.created') {
      push(this.#mine.topics, reply.record)
      push(this.#common, reply.record)
    }
    if (kind === 'comment.created') push(this.#mine.comments, { id: reply.record, topic })
    if (kind === 'topic.liked') push(this.#mine.likes, { topic, actor })
  }
}

interface WriterOptions {
  /** Whether some uploads are begun and not finished. */
  aborts: boolean
}

/** The writers of a ledger; they live as long as it does, and remember what they made. */
export function writersOf(ledger: Ledger, random: Random, count: number, { aborts }: WriterOptions): Writer[] {
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
  if (to.length > remembered) to.splice(0, to.length - remembered)
}
