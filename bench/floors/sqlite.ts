import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import * as reads from './reads.ts'

/**
 * The floor for cold reads and for writes: raw SQLite behind bare `node:http`. Reads use the best queries that we could
 * write, as prepared statements with rows as arrays. Writes insert the record and its change row. Writes that arrive
 * together share a durable commit, or each has its own.
 * Arguments: the database file, and `shared` or `single` for the commits.
 */
const [file = '', commits = 'shared'] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000; pragma temp_store = memory')

const prepareRead = (text: string) => {
  // SQLite plans a query again on every execution if its limit is a plain parameter.
  const statement = db.prepare(text.replace('limit ?', 'limit ? + 0'))
  statement.setReturnArrays(true)
  return (...parameters: SQLInputValue[]) => statement.all(...parameters) as unknown as reads.Rows
}
/** The function returns the id of the inserted row. */
const prepareInsert = (text: string) => {
  const statement = db.prepare(text)
  return (...parameters: SQLInputValue[]) => Number(statement.run(...parameters).lastInsertRowid)
}

const statements = reads.prepareStatements(prepareRead)

function readFeed(topics: reads.Rows) {
  const ids = reads.extractIds(topics)
  const queries = ids.length === 1 ? statements.singleTopic : statements.topicList
  const comments = queries.comments(...ids)
  return reads.toFeed(topics, {
    comments,
    likes: queries.likes(...ids),
    files: queries.files(...ids),
    commentFiles: reads.haveFiles(comments) ? queries.commentFiles(...ids) : [],
  })
}

const beginStatement = db.prepare('begin')
const commitStatement = db.prepare('commit')
/** In a transaction, several queries lock the file only once. */
function inTransaction(read: () => object): object {
  beginStatement.run()
  const data = read()
  commitStatement.run()
  return data
}

const sqliteReads: reads.Reads = {
  feed: (limit, offset) => inTransaction(() => readFeed(statements.pageOfTopics(limit, offset))),
  topic: (id) => inTransaction(() => readFeed(statements.oneTopic(id))),
  participants: (limit, offset) => reads.toParticipants(statements.pageOfParticipants(limit, offset)),
  program: (baseUrl, limit, offset) =>
    inTransaction(() => {
      const events = statements.pageOfEvents(limit, offset)
      return reads.toProgram(baseUrl, events, statements.activities(...reads.extractIds(events)))
    }),
  feedback: (limit, offset) => reads.toFeedbacks(statements.pageOfFeedback(limit, offset)),
}

const insertComment = prepareInsert(
  'insert into comment (topic_id, comment, created_by, created_at) values (?, ?, ?, ?)',
)
const insertTopic = prepareInsert('insert into topic (header, body, created_by, created_at) values (?, ?, ?, ?)')
const insertFeedback = prepareInsert(
  'insert into feedback (participant_id, program_id, rating, comments, created_by, created_at) values (?, ?, ?, ?, ?, ?)',
)
const insertChange = prepareInsert(
  'insert into change (at, kind, record_id, parent_id, actor_id) values (?, ?, ?, ?, ?)',
)
const selectAuthor = prepareRead(`select ${reads.authorColumns} from participant a where a.id = ?`)

function write(url: string, body: Record<string, string | number>): object {
  const now = Date.now()
  const createdAt = reads.formatTimestamp(now)
  const authorId = body.created_by ?? body.participant_id ?? 0
  const author = reads.toAuthor(selectAuthor(authorId)[0] ?? [], 0)
  if (url.endsWith('/comments/create')) {
    const topicId = Number(url.split('/')[4])
    const { comment = '' } = body
    const id = insertComment(topicId, comment, authorId, now)
    insertChange(now, 'comment.created', id, topicId, authorId)
    return { comments: [{ id: String(id), comment, author, created_by: String(authorId), uploaded_files: [] }] }
  }
  if (url.startsWith('/api/newsfeeds')) {
    const { name: header = '', body: text = '' } = body
    const id = insertTopic(header, text, authorId, now)
    insertChange(now, 'topic.created', id, id, authorId)
    const content = { header, body: text, uploaded_files: [], dateCreated: createdAt }
    return { NewsFeed: [{ id: String(id), author, content, likes: [], comments: [] }] }
  }
  const { comments = null } = body
  const id = insertFeedback(authorId, body.program_id ?? 0, body.rating ?? '', comments, authorId, now)
  insertChange(now, 'feedback.added', id, 0, authorId)
  return { feedbacks: { id: String(id), comments, author, dateCreated: createdAt } }
}

let pending: { url: string; text: string; response: ServerResponse }[] = []

function commit(batch: typeof pending): void {
  db.exec('begin immediate')
  const results = batch.map(({ url, text, response }) => ({ response, data: write(url, JSON.parse(text)) }))
  db.exec('commit')
  for (const { response, data } of results) reads.sendData(response, data)
}

function commitPending(): void {
  const batch = pending
  pending = []
  commit(batch)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return reads.sendData(response, reads.dispatchRead(request, sqliteReads))
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    const pendingWrite = { url: request.url ?? '', text, response }
    if (commits === 'single') return commit([pendingWrite])
    if (pending.length === 0) setImmediate(commitPending)
    pending.push(pendingWrite)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
