import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import * as reads from './reads.ts'

/**
 * The floor of cold reads on PostgreSQL: raw `pg` behind bare `node:http`, with the queries of `reads.ts` as named
 * statements, rows as arrays, over as many connections as Summit has.
 * Arguments: the address of the database, and the number of connections.
 */
const [url = '', connections = ''] = process.argv.slice(2)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: url, max: Number(connections) })

const numbered = (text: string) => {
  let nth = 0
  // A query for the ids of a page runs once as an array, and its plan is kept; as a join it is planned in every run.
  const once = text.replace(/ in \((select .* limit \? offset \?)\)/s, ' = any(array($1))')
  return once.replace(/\?/g, () => `$${++nth}`)
}

let named = 0
const rows = (text: string) => {
  const statement = { name: `s${named++}`, text: numbered(text), rowMode: 'array' as const }
  return async (client: pg.PoolClient, ...values: reads.Value[]): Promise<reads.Rows> =>
    (await client.query<reads.Value[]>({ ...statement, values })).rows
}

const statements = reads.statements(rows)

async function feed(client: pg.PoolClient, topics: reads.Rows) {
  const ids = reads.idsOf(topics)
  const of = ids.length === 1 ? statements.ofOne : statements.ofTwenty
  const comments = await of.comments(client, ...ids)
  const likes = await of.likes(client, ...ids)
  const files = await of.files(client, ...ids)
  const commentFiles = reads.haveFiles(comments) ? await of.commentFiles(client, ...ids) : []
  return reads.toFeed(topics, { comments, likes, files, commentFiles })
}

async function connected<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

const readsOfPostgres: reads.Reads = {
  feed: (limit, offset) =>
    connected(async (client) => feed(client, await statements.pageOfTopics(client, limit, offset))),
  topic: (id) => connected(async (client) => feed(client, await statements.oneTopic(client, id))),
  participants: (limit, offset) =>
    connected(async (client) => reads.toParticipants(await statements.pageOfParticipants(client, limit, offset))),
  program: (base, limit, offset) =>
    connected(async (client) => {
      const events = await statements.pageOfEvents(client, limit, offset)
      return reads.toProgram(base, events, await statements.activities(client, ...reads.idsOf(events)))
    }),
  feedback: (limit, offset) =>
    connected(async (client) => reads.toFeedbacks(await statements.pageOfFeedback(client, limit, offset))),
}

const server = createServer(async (request, response) =>
  reads.answer(response, await reads.read(request, readsOfPostgres)),
)
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
