import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import * as reads from './reads.ts'

/**
 * The floor for cold reads on PostgreSQL: raw `pg` behind bare `node:http`, with the queries of `reads.ts` as named
 * statements, rows as arrays, and as many connections as Summit uses.
 * Arguments: the URL of the database, and the number of connections.
 */
const [url = '', connections = ''] = process.argv.slice(2)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: url, max: Number(connections) })

/** Converts a query to PostgreSQL's numbered parameters. */
const toPostgres = (text: string) => {
  let count = 0
  // With the ids of a page as an array, PostgreSQL reuses the plan; a join would be planned on every execution.
  const withArray = text.replace(/ in \((select .* limit \? offset \?)\)/s, ' = any(array($1))')
  return withArray.replace(/\?/g, () => `$${++count}`)
}

let statementCount = 0
const prepare = (text: string) => {
  const statement = { name: `s${statementCount++}`, text: toPostgres(text), rowMode: 'array' as const }
  return async (client: pg.PoolClient, ...values: reads.Value[]): Promise<reads.Rows> =>
    (await client.query<reads.Value[]>({ ...statement, values })).rows
}

const statements = reads.prepareStatements(prepare)

async function readFeed(client: pg.PoolClient, topics: reads.Rows) {
  const ids = reads.extractIds(topics)
  const queries = ids.length === 1 ? statements.singleTopic : statements.topicList
  const comments = await queries.comments(client, ...ids)
  const likes = await queries.likes(client, ...ids)
  const files = await queries.files(client, ...ids)
  const commentFiles = reads.haveFiles(comments) ? await queries.commentFiles(client, ...ids) : []
  return reads.toFeed(topics, { comments, likes, files, commentFiles })
}

async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

const postgresReads: reads.Reads = {
  feed: (limit, offset) =>
    withClient(async (client) => readFeed(client, await statements.pageOfTopics(client, limit, offset))),
  topic: (id) => withClient(async (client) => readFeed(client, await statements.oneTopic(client, id))),
  participants: (limit, offset) =>
    withClient(async (client) => reads.toParticipants(await statements.pageOfParticipants(client, limit, offset))),
  program: (baseUrl, limit, offset) =>
    withClient(async (client) => {
      const events = await statements.pageOfEvents(client, limit, offset)
      return reads.toProgram(baseUrl, events, await statements.activities(client, ...reads.extractIds(events)))
    }),
  feedback: (limit, offset) =>
    withClient(async (client) => reads.toFeedbacks(await statements.pageOfFeedback(client, limit, offset))),
}

const server = createServer(async (request, response) =>
  reads.sendData(response, await reads.dispatchRead(request, postgresReads)),
)
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
