import type { Write } from './write.ts'

/** What acknowledged writes add up to. Whatever is deleted stays on record: that it stays deleted is to be seen. */
export interface ExpectedFile {
  sha256: string
  size: number
  /** Known once it is deleted, 0 before. */
  deletedId: number
}

export interface ExpectedComment {
  text: string
  isDeleted: boolean
  files: Map<string, ExpectedFile>
}

export interface ExpectedTopic {
  text: string
  isDeleted: boolean
  files: Map<string, ExpectedFile>
  comments: Map<number, ExpectedComment>
  /** Whether the like was taken back, by who liked it. */
  likes: Map<number, boolean>
}

/** Findings about records in words, by what they are about, to be compared with those from elsewhere. */
export type Facts = Map<string, string>

export class Expected {
  readonly topics = new Map<number, ExpectedTopic>()
  readonly feedback = new Map<number, { by: number; text: string }>()
  /** How many rows the change log has of each kind, record and actor. */
  readonly changes = new Map<string, number>()
  /** The topics to which something happened since {@link forgetTouched}. */
  readonly touched = new Set<number>()

  /** @param record what the write made, or was done to */
  apply(write: Write, record: number): void {
    const { kind, actor, text } = write
    const change = nameOfChange(kind, record, actor)
    this.changes.set(change, (this.changes.get(change) ?? 0) + 1)
    if (kind === 'feedback.added') {
      this.feedback.set(record, { by: actor, text })
      return
    }
    const topicId = kind === 'topic.created' ? record : write.topic
    this.touched.add(topicId)
    if (kind === 'topic.created')
      this.topics.set(record, { text, isDeleted: false, files: new Map(), comments: new Map(), likes: new Map() })
    applyToTopic(this.#topic(topicId), write, record)
  }

  forgetTouched(): void {
    this.touched.clear()
  }

  #topic(id: number): ExpectedTopic {
    const topic = this.topics.get(id)
    if (!topic) throw new Error(`a write to topic ${id}, which the ledger never saw made, was acknowledged`)
    return topic
  }
}

function applyToTopic(topic: ExpectedTopic, { kind, actor, text, files }: Write, record: number): void {
  const comment = topic.comments.get(record)
  switch (kind) {
    case 'topic.created':
    case 'topic.updated':
      topic.text = text
      addFiles(topic.files, files)
      break
    case 'topic.deleted':
      topic.isDeleted = true
      break
    case 'topic.liked':
      topic.likes.set(actor, false)
      break
    case 'topic.unliked':
      topic.likes.set(actor, true)
      break
    case 'comment.created':
    case 'comment.updated': {
      const kept = comment?.files ?? new Map<string, ExpectedFile>()
      topic.comments.set(record, { text, isDeleted: false, files: addFiles(kept, files) })
      break
    }
    case 'comment.deleted':
      if (comment) comment.isDeleted = true
      break
    case 'file.deleted':
      for (const owner of [topic, ...topic.comments.values()]) {
        const file = owner.files.get(text)
        if (file) file.deletedId = record
      }
  }
}

function addFiles(to: Map<string, ExpectedFile>, files: Write['files']): Map<string, ExpectedFile> {
  for (const { name, bytes, sha256 } of files) to.set(name, { sha256, size: bytes.length, deletedId: 0 })
  return to
}

export const nameOfChange = (kind: string, record: number, actor: number) => `change ${kind} of ${record} by ${actor}`

const state = (isDeleted: boolean): string => (isDeleted ? 'deleted' : 'kept')

/** What the database must say of these topics and of all that hangs on them. */
export function factsOfTopics({ topics }: Expected, ids: Iterable<number>): Facts {
  const facts: Facts = new Map()
  const addFilesOf = (owner: string, files: Map<string, ExpectedFile>) => {
    for (const [name, file] of files) facts.set(`file ${name}`, factOfFile(owner, file, file.deletedId > 0))
  }
  for (const id of ids) {
    const topic = topics.get(id)
    if (!topic) continue
    facts.set(`topic ${id}`, factOfTopic(topic.text, topic.isDeleted))
    addFilesOf(`topic ${id}`, topic.files)
    for (const [by, isDeleted] of topic.likes) facts.set(`like of topic ${id} by ${by}`, state(isDeleted))
    for (const [commentId, { text, isDeleted, files }] of topic.comments) {
      facts.set(`comment ${commentId}`, factOfComment(id, text, isDeleted))
      addFilesOf(`comment ${commentId}`, files)
    }
  }
  return facts
}

export const factOfTopic = (text: string, isDeleted: boolean) => `${state(isDeleted)} "${text}"`
export const factOfComment = (topic: number, text: string, isDeleted: boolean) =>
  `${state(isDeleted)} on topic ${topic} "${text}"`
export const factOfLike = state
export const factOfFile = (
  owner: string,
  { sha256, size }: Pick<ExpectedFile, 'sha256' | 'size'>,
  isDeleted: boolean,
) => `${state(isDeleted)} on ${owner}, ${size} bytes, ${sha256}`
export const factOfFeedback = (by: number, text: string) => `by ${by} "${text}"`

/** Where two accounts differ, one line for each fact. */
export function differences(expected: Facts, found: Facts): string[] {
  const lost = [...expected].flatMap(([what, fact]) => {
    const instead = found.get(what)
    return instead === fact ? [] : [`${what}: acknowledged as ${fact}, found ${instead ?? 'nothing'}`]
  })
  const strays = [...found].flatMap(([what, fact]) =>
    expected.has(what) ? [] : [`${what}: never acknowledged, found ${fact}`],
  )
  return [...lost, ...strays]
}
