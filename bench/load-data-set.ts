import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { withProgress } from '../src/cli/progress.ts'
import { commandStatementMs } from '../src/cli/with-context.ts'
import { readConfig } from '../src/server/config/config.ts'
import type { Context } from '../src/server/context.ts'
import type { CommentId, EventId, FileId, ParticipantId, TopicId } from '../src/server/core/ids.ts'
import { recountTopics } from '../src/server/domains/newsfeed/topic-block-store.ts'
import { createContext } from '../src/server/lifecycle/start/create-context.ts'
import { appendChange } from '../src/server/log/changes/log.ts'
import { commandScope } from '../src/server/scope.ts'
import { type Db, tableNames } from '../src/server/storage/db/tables.ts'
import type { Rows, Table } from './rows.ts'

/** Rows per insert. Their columns together stay below the limit of parameters of a statement. */
const rowsPerInsert = 500
const insertsPerCommit = 100

/** All tables of Summit but the one of its secrets, each before those that it references. */
const tables = tableNames.filter((table) => table !== 'secret').reverse()

/**
 * Empties the store that the environment names and fills it with a data set, including its ids and dates. Adds a row to
 * the change log, so that a server that starts on the store does not add the sample data.
 */
export async function loadDataSet(folder: string, environment: Readonly<Record<string, string | undefined>>) {
  const ctx = await createContext(readConfig(environment).config, { statementMs: commandStatementMs })
  try {
    await ctx.database.transaction((tx) => emptyTables(tx, ctx.config.database.kind === 'server'))
    const banner = await ctx.blobs.stage(createReadStream(join(folder, 'banner.png')), 1024 * 1024)
    await ctx.blobs.remove('banner.png')
    await banner.store('banner.png')

    const insertFile = <T extends Table>(table: T, insert: (tx: Db, rows: Rows[T][]) => Promise<unknown>) =>
      withProgress(table, (onProgress) => insertAll(ctx, join(folder, `${table}.ndjson`), insert, onProgress))
    await insertFile('participants', (tx, rows) =>
      tx.insertInto('participant').values(rows.map(toParticipant)).execute(),
    )
    await insertFile('topics', (tx, rows) => tx.insertInto('topic').values(rows.map(toTopic)).execute())
    await insertFile('comments', (tx, rows) => tx.insertInto('comment').values(rows.map(toComment)).execute())
    await insertFile('files', (tx, rows) => tx.insertInto('file').values(rows.map(toFile)).execute())
    // The generator may have a participant like a topic twice, which counts once.
    await insertFile('likes', (tx, rows) =>
      tx
        .insertInto('topic_like')
        .values(rows.map(toLike))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
    await insertFile('events', (tx, rows) => tx.insertInto('event').values(rows.map(toEvent)).execute())
    const days = new Map<number, { event_id: EventId; date: string }>()
    for await (const { id, event_id, date } of readRows<Rows['days']>(join(folder, 'days.ndjson')))
      days.set(id, { event_id: event_id as EventId, date })
    await insertFile('activities', (tx, rows) =>
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
    await insertFile('feedback', (tx, rows) => tx.insertInto('feedback').values(rows.map(toFeedback)).execute())
    await ctx.database.transaction((tx) => recountTopics(tx))
    await ctx.database.afterLoad()
    await ctx.database.transaction((tx) =>
      appendChange(commandScope(ctx, tx, 'load'), { kind: 'summit.created', record: 0 }),
    )
  } finally {
    await ctx.close()
  }
}

async function emptyTables(tx: Db, isServer: boolean): Promise<void> {
  // On a server, deleting row by row would exceed the statement timeout.
  if (isServer) await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)
  else for (const table of tables) await tx.deleteFrom(table).execute()
}

async function insertAll<R>(
  { database }: Context,
  path: string,
  insert: (tx: Db, rows: R[]) => Promise<unknown>,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const all = await countLines(path)
  let done = 0
  const rows = readRows<R>(path)[Symbol.asyncIterator]()
  for (let more = true; more; ) {
    // Read before the transaction, in which only queries may be awaited.
    const batch: R[] = []
    while (batch.length < rowsPerInsert * insertsPerCommit && more) {
      const next = await rows.next()
      if (next.done) more = false
      else batch.push(next.value)
    }
    await database.transaction(async (tx) => {
      for (let start = 0; start < batch.length; start += rowsPerInsert)
        await insert(tx, batch.slice(start, start + rowsPerInsert))
    })
    done += batch.length
    onProgress(done, all)
  }
}

async function* readRows<R>(path: string): AsyncGenerator<R> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    yield JSON.parse(line)
}

const newLine = 10

async function countLines(path: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    for (const byte of chunk as Buffer) if (byte === newLine) lines++
  return lines
}

const toMs = (timestamp: string): number => Date.parse(`${timestamp.replace(' ', 'T')}Z`)

const toParticipant = ({ id, photo, created_at, full_name: _, ...rest }: Rows['participants']) => ({
  ...rest,
  id: id as ParticipantId,
  photo: photo ?? '',
  created_at: toMs(created_at),
})

const toTopic = ({ id, participant_id, header, body, created_at }: Rows['topics']) => ({
  id: id as TopicId,
  header,
  body,
  created_by: participant_id as ParticipantId,
  created_at: toMs(created_at),
})

const toComment = ({ id, topic_id, participant_id, comment, created_at }: Rows['comments']) => ({
  id: id as CommentId,
  topic_id: topic_id as TopicId,
  comment,
  created_by: participant_id as ParticipantId,
  created_at: toMs(created_at),
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
  created_at: toMs(created_at),
})

const toEvent = ({ id, created_at, ...event }: Rows['events']) => ({
  ...event,
  id: id as EventId,
  program_date: event.date_from.slice(0, 10),
  program_time: event.date_from.slice(11),
  created_at: toMs(created_at),
})

const toFeedback = ({ id, participant_id, event_id, created_at, ...rest }: Rows['feedback']) => ({
  ...rest,
  id,
  participant_id: participant_id as ParticipantId,
  program_id: event_id as EventId,
  created_by: participant_id as ParticipantId,
  created_at: toMs(created_at),
})
