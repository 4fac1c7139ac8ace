import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  type Facts,
  factOfComment,
  factOfFeedback,
  factOfFile,
  factOfLike,
  factOfTopic,
  nameOfChange,
} from './expected.ts'
import type { Write } from './write.ts'

const tables = ['topic', 'comment', 'topic_like', 'file', 'feedback', 'change'] as const

/** The highest id of each table at some moment: what is new since then has a higher one. */
export type Marks = Record<(typeof tables)[number], number>

export const fromTheStart: Marks = { topic: 0, comment: 0, topic_like: 0, file: 0, feedback: 0, change: 0 }

/** The files below `DATA_DIR`, looked at past the server, which may be running. */
export class DataFolder {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  /** Runs `look` on the database, read-only and at one moment. */
  async read<T>(look: (rows: Rows) => Promise<T>): Promise<T> {
    const connection = new DatabaseSync(join(this.dir, 'summit.db'), { readOnly: true })
    try {
      connection.exec('begin')
      return await look(async (sql, ...values) => connection.prepare(sql).all(...values) as Row[])
    } finally {
      connection.close()
    }
  }

  integrity(): Promise<string> {
    return this.read(async (rows) =>
      (await rows('pragma integrity_check')).map((row) => row.integrity_check).join('; '),
    )
  }

  /** The files that are kept, as the rows name them. */
  async keptBlobs(): Promise<string[]> {
    return filesBelow(join(this.dir, 'blobs', 'kept'))
  }

  /** What is being received, or was when a process ended. */
  async stagedBlobs(): Promise<string[]> {
    return filesBelow(join(this.dir, 'blobs', 'staging'))
  }
}

export interface Row {
  [column: string]: SQLInputValue
}
export type Rows = (sql: string, ...values: SQLInputValue[]) => Promise<Row[]>

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(dir, join(entry.parentPath, entry.name)))
}

export async function marksOf(rows: Rows): Promise<Marks> {
  const marks = { ...fromTheStart }
  for (const table of tables) marks[table] = Number((await rows(`select max(id) as id from ${table}`))[0]?.id ?? 0)
  return marks
}

/** Every blob that a row names, with the hash that the row says it has. */
export const blobsOf = async (rows: Rows) =>
  (await rows(`select blob_key, sha256 from file where blob_key <> ''`)).map((row) => ({
    key: String(row.blob_key),
    sha256: String(row.sha256),
  }))

/**
 * What the database says of these topics, of all that hangs on them, and of every other row that is new.
 * A record that is there twice is a fact of its own, which nobody expects.
 */
export async function factsOfRows(rows: Rows, topics: Iterable<number>, since: Marks): Promise<Facts> {
  const facts: Facts = new Map()
  const add = (what: string, fact: string) => facts.set(facts.has(what) ? `${what} once more` : what, fact)
  // Numbers of our own, and at least one of them: some engines take no empty list.
  const these = `(${[0, ...topics].join(', ')})`

  for (const row of await rows(`select * from topic where id in ${these} or id > ?`, since.topic))
    add(`topic ${row.id}`, factOfTopic(String(row.header), row.is_deleted === 1))
  for (const row of await rows(`select * from comment where topic_id in ${these} or id > ?`, since.comment))
    add(`comment ${row.id}`, factOfComment(Number(row.topic_id), String(row.comment), row.is_deleted === 1))
  for (const row of await rows(`select * from topic_like where topic_id in ${these} or id > ?`, since.topic_like))
    add(`like of topic ${row.topic_id} by ${row.participant_id}`, factOfLike(row.is_deleted === 1))
  const files = await rows(
    `select * from file where topic_id in ${these} or id > ?
     or comment_id in (select id from comment where topic_id in ${these})`,
    since.file,
  )
  for (const row of files) {
    const owner = row.topic_id === null ? `comment ${row.comment_id}` : `topic ${row.topic_id}`
    const { sha256, size } = { sha256: String(row.sha256), size: Number(row.size) }
    add(`file ${row.name}`, factOfFile(owner, { sha256, size }, row.is_deleted === 1))
  }
  return facts
}

export async function factsOfFeedback(rows: Rows, since: Marks): Promise<Facts> {
  const added = await rows('select id, participant_id, comments from feedback where id > ?', since.feedback)
  return new Map(
    added.map((row) => [`feedback ${row.id}`, factOfFeedback(Number(row.participant_id), String(row.comments))]),
  )
}

/** How many rows the change log has of each kind, record and actor, and of each request. */
export async function changesIn(rows: Rows, since: Marks) {
  const changes = new Map<string, number>()
  const requests = new Map<string, number>()
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const row of await rows(`select * from change where id > ? and kind <> 'summit.created'`, since.change)) {
    count(changes, nameOfChange(String(row.kind), Number(row.record_id), Number(row.actor_id)))
    count(requests, String(row.request_id))
  }
  return { changes, requests }
}

/** The record that shows that a write took place whose answer never came, or undefined. */
export async function findTrace(rows: Rows, { kind, record, topic, actor, text }: Write): Promise<number | undefined> {
  const first = async (sql: string, ...values: SQLInputValue[]) => {
    const [row] = await rows(sql, ...values)
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
