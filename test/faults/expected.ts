import type { Write } from './write.ts'

// The data that acknowledged writes add up to. Deleted records stay, as it is checked that they stay deleted.
export interface ExpectedFile {
  sha256: string
  size: number
  /** Set once it is deleted, 0 before. */
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
  /** Whether the like has been withdrawn, by participant. */
  likes: Map<number, boolean>
}

/** Statements about records, by subject, which can be compared with those from another source. */
export type Facts = Map<string, string>

export class ExpectedData {
  readonly topics = new Map<number, ExpectedTopic>()
  readonly feedback = new Map<number, { by: number; text: string }>()
  /** The number of rows in the change log by kind, record and actor. */
  readonly changes = new Map<string, number>()
  /** Topics changed since {@link clearTouched}. */
  readonly touched = new Set<number>()

  /** @param record that was created or changed */
  apply(write: Write, record: number): void {
    const { kind, actor, text } = write
    const change = changeName(kind, record, actor)
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

  clearTouched(): void {
    this.touched.clear()
  }

  #topic(id: number): ExpectedTopic {
    const topic = this.topics.get(id)
    if (!topic) throw new Error(`a write to the unknown topic ${id} was acknowledged`)
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
      const existing = comment?.files ?? new Map<string, ExpectedFile>()
      topic.comments.set(record, { text, isDeleted: false, files: addFiles(existing, files) })
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

export const changeName = (kind: string, record: number, actor: number) => `change ${kind} of ${record} by ${actor}`

const state = (isDeleted: boolean): string => (isDeleted ? 'deleted' : 'present')

/** The facts that the database must have about these topics, with their comments, likes and files. */
export function expectedRowFacts({ topics }: ExpectedData, ids: Iterable<number>): Facts {
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

/** @returns one line for each fact that differs */
export function findDifferences(expected: Facts, found: Facts): string[] {
  const lost = [...expected].flatMap(([subject, fact]) => {
    const other = found.get(subject)
    return other === fact ? [] : [`${subject}: acknowledged as ${fact}, found ${other ?? 'nothing'}`]
  })
  const unexpected = [...found].flatMap(([subject, fact]) =>
    expected.has(subject) ? [] : [`${subject}: never acknowledged, found ${fact}`],
  )
  return [...lost, ...unexpected]
}
