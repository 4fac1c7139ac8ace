import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import * as reads from './reads.ts'

/**
 * The floor of cold reads and of writes: raw SQLite behind bare `node:http`. Reads make the best queries we could
 * write, with statements kept prepared and rows as arrays, and answer the data without a signature. Writes insert the
 * row and its row of the log; those that arrive together share a durable commit, or each has its own.
 * Arguments: the database file, and `shared` or `single` commits.
 */
const [file = '', commits = 'shared'] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000; pragma temp_store = memory')

const rows = (text: string) => {
  // SQLite would look at the value of a limit that is a mere parameter, and plan anew in every run.
  const statement = db.prepare(text.replace('limit ?', 'limit ? + 0'))
  statement.setReturnArrays(true)
  return (...parameters: SQLInputValue[]) => statement.all(...parameters) as unknown as reads.Rows
}
const run = (text: string) => {
  const statement = db.prepare(text)
  return (...parameters: SQLInputValue[]) => Number(statement.run(...parameters).lastInsertRowid)
}

const statements = reads.statements(rows)

function feed(topics: reads.Rows) {
  const ids = reads.idsOf(topics)
  const of = ids.length === 1 ? statements.ofOne : statements.ofTwenty
  const comments = of.comments(...ids)
  return reads.toFeed(topics, {
    comments,
    likes: of.likes(...ids),
    files: of.files(...ids),
    commentFiles: reads.haveFiles(comments) ? of.commentFiles(...ids) : [],
  })
}

const begin = db.prepare('begin')
const end = db.prepare('commit')
/** Several queries lock and unlock the file but once. */
function inOne(read: () => object): object {
  begin.run()
  const data = read()
  end.run()
  return data
}

const readsOfSqlite: reads.Reads = {
  feed: (limit, offset) => inOne(() => feed(statements.pageOfTopics(limit, offset))),
  topic: (id) => inOne(() => feed(statements.oneTopic(id))),
  participants: (limit, offset) => reads.toParticipants(statements.pageOfParticipants(limit, offset)),
  program: (base, limit, offset) =>
    inOne(() => {
      const events = statements.pageOfEvents(limit, offset)
      return reads.toProgram(base, events, statements.activities(...reads.idsOf(events)))
    }),
  feedback: (limit, offset) => reads.toFeedbacks(statements.pageOfFeedback(limit, offset)),
}

const insertComment = run('insert into comment (topic_id, comment, created_by, created_at) values (?, ?, ?, ?)')
const insertTopic = run('insert into topic (header, body, created_by, created_at) values (?, ?, ?, ?)')
const insertFeedback = run(
  'insert into feedback (participant_id, program_id, rating, comments, created_by, created_at) values (?, ?, ?, ?, ?, ?)',
)
const insertChange = run('insert into change (at, kind, record_id, parent_id, actor_id) values (?, ?, ?, ?, ?)')
const oneAuthor = rows(`select ${reads.authorColumns} from participant a where a.id = ?`)

function write(url: string, body: Record<string, string | number>): object {
  const now = Date.now()
  const at = reads.stamp(now)
  const by = body.created_by ?? body.participant_id ?? 0
  const who = reads.author(oneAuthor(by)[0] ?? [], 0)
  if (url.endsWith('/comments/create')) {
    const topic = Number(url.split('/')[4])
    const { comment = '' } = body
    const id = insertComment(topic, comment, by, now)
    insertChange(now, 'comment.created', id, topic, by)
    return { comments: [{ id: String(id), comment, author: who, created_by: String(by), uploaded_files: [] }] }
  }
  if (url.startsWith('/api/newsfeeds')) {
    const { name: header = '', body: text = '' } = body
    const id = insertTopic(header, text, by, now)
    insertChange(now, 'topic.created', id, id, by)
    const content = { header, body: text, uploaded_files: [], dateCreated: at }
    return { NewsFeed: [{ id: String(id), author: who, content, likes: [], comments: [] }] }
  }
  const { comments = null } = body
  const id = insertFeedback(by, body.program_id ?? 0, body.rating ?? '', comments, by, now)
  insertChange(now, 'feedback.added', id, 0, by)
  return { feedbacks: { id: String(id), comments, author: who, dateCreated: at } }
}

let waiting: { url: string; text: string; response: ServerResponse }[] = []

function commit(batch: typeof waiting): void {
  db.exec('begin immediate')
  const done = batch.map(({ url, text, response }) => ({ response, data: write(url, JSON.parse(text)) }))
  db.exec('commit')
  for (const { response, data } of done) reads.answer(response, data)
}

function commitWaiting(): void {
  const batch = waiting
  waiting = []
  commit(batch)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return reads.answer(response, reads.read(request, readsOfSqlite))
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    const one = { url: request.url ?? '', text, response }
    if (commits === 'single') return commit([one])
    if (waiting.length === 0) setImmediate(commitWaiting)
    waiting.push(one)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
