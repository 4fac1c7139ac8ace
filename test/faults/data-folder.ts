import { join, relative } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { filesBelow } from '../files-below.ts'
import {
  changeName,
  type Facts,
  factOfComment,
  factOfFeedback,
  factOfFile,
  factOfLike,
  factOfTopic,
} from './expected.ts'
import type { Write } from './write.ts'

const tables = ['topic', 'comment', 'topic_like', 'file', 'feedback', 'change'] as const

/** The highest id of each table at some moment; later rows have higher ones. */
export type MaxIds = Record<(typeof tables)[number], number>

export const zeroIds: MaxIds = { topic: 0, comment: 0, topic_like: 0, file: 0, feedback: 0, change: 0 }

/** Accesses `DATA_DIR` directly, while a server may be running on it. */
export class DataFolder {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  /** Runs queries on one snapshot of the database, read-only. */
  async read<T>(run: (query: Query) => Promise<T>): Promise<T> {
    const connection = new DatabaseSync(join(this.dir, 'summit.db'), { readOnly: true })
    try {
      connection.exec('begin')
      return await run(async (sql, ...values) => connection.prepare(sql).all(...values) as Row[])
    } finally {
      connection.close()
    }
  }

  /** Executes a statement, next to the server. */
  async execute(sql: string): Promise<void> {
    using connection = new DatabaseSync(join(this.dir, 'summit.db'), { timeout: 10_000 })
    connection.exec(sql)
  }

  integrity(): Promise<string> {
    return this.read(async (query) =>
      (await query('pragma integrity_check')).map((row) => row.integrity_check).join('; '),
    )
  }

  /** By the keys that rows have. */
  async storedBlobs(): Promise<string[]> {
    return keysBelow(join(this.dir, 'blobs', 'kept'))
  }

  /** Uploads in progress, and those of processes that have exited. */
  async stagedBlobs(): Promise<string[]> {
    return keysBelow(join(this.dir, 'blobs', 'staging'))
  }
}

export interface Row {
  [column: string]: SQLInputValue
}
export type Query = (sql: string, ...values: SQLInputValue[]) => Promise<Row[]>

const keysBelow = async (dir: string): Promise<string[]> => (await filesBelow(dir)).map((path) => relative(dir, path))

export async function readMaxIds(query: Query): Promise<MaxIds> {
  const maxIds = { ...zeroIds }
  for (const table of tables) maxIds[table] = Number((await query(`select max(id) as id from ${table}`))[0]?.id ?? 0)
  return maxIds
}

/** The key and hash of every stored file, as its row has them. */
export const readBlobs = async (query: Query) =>
  (await query(`select blob_key, sha256 from file where blob_key <> ''`)).map((row) => ({
    key: String(row.blob_key),
    sha256: String(row.sha256),
  }))

/**
 * Facts about these topics with their comments, likes and files, and about every row added since.
 * A duplicate record becomes a fact of its own, which is never expected.
 */
export async function readFacts(query: Query, topics: Iterable<number>, since: MaxIds): Promise<Facts> {
  const facts: Facts = new Map()
  const add = (subject: string, fact: string) => facts.set(facts.has(subject) ? `${subject}, duplicate` : subject, fact)
  // Not empty, which some engines refuse.
  const ids = `(${[0, ...topics].join(', ')})`

  for (const row of await query(`select * from topic where id in ${ids} or id > ?`, since.topic))
    add(`topic ${row.id}`, factOfTopic(String(row.header), row.is_deleted === 1))
  for (const row of await query(`select * from comment where topic_id in ${ids} or id > ?`, since.comment))
    add(`comment ${row.id}`, factOfComment(Number(row.topic_id), String(row.comment), row.is_deleted === 1))
  for (const row of await query(`select * from topic_like where topic_id in ${ids} or id > ?`, since.topic_like))
    add(`like of topic ${row.topic_id} by ${row.participant_id}`, factOfLike(row.is_deleted === 1))
  const files = await query(
    `select * from file where topic_id in ${ids} or id > ?
     or comment_id in (select id from comment where topic_id in ${ids})`,
    since.file,
  )
  for (const row of files) {
    const owner = row.topic_id === null ? `comment ${row.comment_id}` : `topic ${row.topic_id}`
    const { sha256, size } = { sha256: String(row.sha256), size: Number(row.size) }
    add(`file ${row.name}`, factOfFile(owner, { sha256, size }, row.is_deleted === 1))
  }
  return facts
}

export async function readFeedbackFacts(query: Query, since: MaxIds): Promise<Facts> {
  const added = await query('select id, participant_id, comments from feedback where id > ?', since.feedback)
  return new Map(
    added.map((row) => [`feedback ${row.id}`, factOfFeedback(Number(row.participant_id), String(row.comments))]),
  )
}

/** The rows of the change log that requests have made, not a start. */
export const ofRequests = `kind <> 'summit.created' and request_id <> 'setup link'`

/** The number of rows in the change log by kind, record and actor, and by request. */
export async function countChanges(query: Query, since: MaxIds) {
  const changes = new Map<string, number>()
  const requests = new Map<string, number>()
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const row of await query(`select * from change where id > ? and ${ofRequests}`, since.change)) {
    count(changes, changeName(String(row.kind), Number(row.record_id), Number(row.actor_id)))
    count(requests, String(row.request_id))
  }
  return { changes, requests }
}

/** The record that proves that a write without a response was stored, or undefined. */
export async function findEvidence(
  query: Query,
  { kind, record, topic, actor, text }: Write,
): Promise<number | undefined> {
  const first = async (sql: string, ...values: SQLInputValue[]) => {
    const [row] = await query(sql, ...values)
    return row && Number(row.id)
  }
  switch (kind) {
    case 'topic.created':
      return first('select id from topic where header = ?', text)
    case 'topic.updated':
      return first('select id from topic where id = ? and header = ?', record, text)
    case 'topic.deleted':
      return first('select id from topic where id = ? and is_deleted = 1', record)
    case 'topic.liked':
      return first('select topic_id as id from topic_like where topic_id = ? and participant_id = ?', topic, actor)
    case 'topic.unliked':
      return first(
        'select topic_id as id from topic_like where topic_id = ? and participant_id = ? and is_deleted = 1',
        topic,
        actor,
      )
    case 'comment.created':
      return first('select id from comment where topic_id = ? and comment = ?', topic, text)
    case 'comment.updated':
      return first('select id from comment where id = ? and comment = ?', record, text)
    case 'comment.deleted':
      return first('select id from comment where id = ? and is_deleted = 1', record)
    case 'file.deleted':
      return first('select id from file where id = ? and is_deleted = 1', record)
    case 'feedback.added':
      return first('select id from feedback where participant_id = ? and comments = ?', actor, text)
  }
}
