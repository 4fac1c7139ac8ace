import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { withProgress } from '../src/cli/progress.ts'
import { commandStatementMs } from '../src/cli/with-context.ts'
import { appendChange } from '../src/server/changes/log.ts'
import { readConfig } from '../src/server/config.ts'
import { type Context, createContext } from '../src/server/context.ts'
import type { Db, Tables } from '../src/server/db/tables.ts'
import type { CommentId, EventId, FileId, ParticipantId, TopicId } from '../src/server/ids.ts'
import { recountTopics } from '../src/server/newsfeed/topic-block-store.ts'
import { commandScope } from '../src/server/scope.ts'
import type { Rows, Table } from './data.ts'

/** Rows of one insert; their columns together stay below what a statement may have as parameters. */
const rowsOfInsert = 500
const insertsOfCommit = 100

/** Every table of ours, those that refer to others before them. */
const tables = [
  'idempotency',
  'change',
  'file',
  'topic_like',
  'topic_block',
  'comment',
  'topic',
  'activity',
  'event',
  'feedback',
  'participant',
] as const satisfies readonly (keyof Tables)[]

/**
 * Puts the data set of `folder` into the store that the environment names, emptied first; ids and dates are kept.
 * The log begins with it, so that a server that starts on it adds nothing.
 */
export async function loadDataSet(folder: string, environment: Readonly<Record<string, string | undefined>>) {
  const ctx = await createContext(readConfig(environment).config, { statementMs: commandStatementMs })
  try {
    await ctx.database.transaction((tx) => empty(tx, ctx.config.database.kind === 'server'))
    const banner = await ctx.blobs.stage(createReadStream(join(folder, 'banner.png')), 1024 * 1024)
    await ctx.blobs.remove('banner.png')
    await banner.store('banner.png')

    const into = <T extends Table>(table: T, insert: (tx: Db, rows: Rows[T][]) => Promise<unknown>) =>
      withProgress(table, (onProgress) => insertAll(ctx, join(folder, `${table}.ndjson`), insert, onProgress))
    await into('participants', (tx, rows) => tx.insertInto('participant').values(rows.map(toParticipant)).execute())
    await into('topics', (tx, rows) => tx.insertInto('topic').values(rows.map(toTopic)).execute())
    await into('comments', (tx, rows) => tx.insertInto('comment').values(rows.map(toComment)).execute())
    await into('files', (tx, rows) => tx.insertInto('file').values(rows.map(toFile)).execute())
    // Chance has somebody like a topic twice, which is one like.
    await into('likes', (tx, rows) =>
      tx
        .insertInto('topic_like')
        .values(rows.map(toLike))
        .onConflict((twice) => twice.doNothing())
        .execute(),
    )
    await into('events', (tx, rows) => tx.insertInto('event').values(rows.map(toEvent)).execute())
    const days = new Map<number, { event_id: EventId; date: string }>()
    for await (const { id, event_id, date } of rowsOf<Rows['days']>(join(folder, 'days.ndjson')))
      days.set(id, { event_id: event_id as EventId, date })
    await into('activities', (tx, rows) =>
      tx
        .insertInto('activity')
        .values(
          rows.map(({ id, day_id, title, time }) => {
            const { event_id, date } = days.get(day_id) ?? { event_id: 0 as EventId, date: '' }
            return { id, event_id, date, time, title }
          }),
        )
        .execute(),
    )
    await into('feedback', (tx, rows) => tx.insertInto('feedback').values(rows.map(toFeedback)).execute())
    await ctx.database.transaction((tx) => recountTopics(tx))
    await ctx.database.afterLoad()
    await ctx.database.transaction((tx) =>
      appendChange(commandScope(ctx, tx, 'load'), { kind: 'summit.created', record: 0 }),
    )
  } finally {
    await ctx.close()
  }
}

async function empty(tx: Db, isServer: boolean): Promise<void> {
  // Row by row a server takes longer than a statement may.
  if (isServer) await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)
  else for (const table of tables) await tx.deleteFrom(table).execute()
}

async function insertAll<R>(
  { database }: Context,
  path: string,
  insert: (tx: Db, rows: R[]) => Promise<unknown>,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const all = await linesOf(path)
  let done = 0
  const rows = rowsOf<R>(path)[Symbol.asyncIterator]()
  for (let more = true; more; ) {
    // Read before the transaction: nothing else than queries may be awaited inside.
    const some: R[] = []
    while (some.length < rowsOfInsert * insertsOfCommit && more) {
      const next = await rows.next()
      if (next.done) more = false
      else some.push(next.value)
    }
    await database.transaction(async (tx) => {
      for (let at = 0; at < some.length; at += rowsOfInsert) await insert(tx, some.slice(at, at + rowsOfInsert))
    })
    done += some.length
    onProgress(done, all)
  }
}

async function* rowsOf<R>(path: string): AsyncGenerator<R> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    yield JSON.parse(line)
}

const newLine = 10

async function linesOf(path: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    for (const byte of chunk as Buffer) if (byte === newLine) lines++
  return lines
}

const moment = (stamp: string): number => Date.parse(`${stamp.replace(' ', 'T')}Z`)

const toParticipant = ({ id, photo, created_at, full_name: _, ...rest }: Rows['participants']) => ({
  ...rest,
  id: id as ParticipantId,
  photo: photo ?? '',
  created_at: moment(created_at),
})

const toTopic = ({ id, participant_id, header, body, created_at }: Rows['topics']) => ({
  id: id as TopicId,
  header,
  body,
  created_by: participant_id as ParticipantId,
  created_at: moment(created_at),
})

const toComment = ({ id, topic_id, participant_id, comment, created_at }: Rows['comments']) => ({
  id: id as CommentId,
  topic_id: topic_id as TopicId,
  comment,
  created_by: participant_id as ParticipantId,
  created_at: moment(created_at),
})

const toFile = ({ id, topic_id, link, file_type }: Rows['files']) => ({
  id: id as FileId,
  topic_id: topic_id as TopicId,
  link,
  file_type,
  created_at: 0,
})

const toLike = ({ id, topic_id, participant_id, created_at }: Rows['likes']) => ({
  id,
  topic_id: topic_id as TopicId,
  participant_id: participant_id as ParticipantId,
  created_by: participant_id as ParticipantId,
  created_at: moment(created_at),
})

const toEvent = ({ id, created_at, ...event }: Rows['events']) => ({
  ...event,
  id: id as EventId,
  program_date: event.date_from.slice(0, 10),
  program_time: event.date_from.slice(11),
  created_at: moment(created_at),
})

const toFeedback = ({ id, participant_id, event_id, created_at, ...rest }: Rows['feedback']) => ({
  ...rest,
  id,
  participant_id: participant_id as ParticipantId,
  program_id: event_id as EventId,
  created_by: participant_id as ParticipantId,
  created_at: moment(created_at),
})
