import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/**
 * The floor of cold reads and of writes: raw SQLite behind bare `node:http`. Reads make the best queries we could
 * write, with statements kept prepared and rows as arrays, and answer the data without a signature. Writes insert the
 * row and its row of the log; those that arrive together share a durable commit, or each has its own.
 * Arguments: the database file, and `shared` or `single` commits.
 */
const [file = '', commits = 'shared'] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000; pragma temp_store = memory')

type Value = string | number | null
const rows = (text: string) => {
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  return (...parameters: SQLInputValue[]) => statement.all(...parameters) as unknown as Value[][]
}
const run = (text: string) => {
  const statement = db.prepare(text)
  return (...parameters: SQLInputValue[]) => Number(statement.run(...parameters).lastInsertRowid)
}

const stamp = (ms: Value) => new Date(Number(ms)).toISOString().slice(0, 19).replace('T', ' ')

const authorColumns = "a.id, a.first_name || ' ' || a.last_name, a.designation, a.photo"
/** @param at where the four columns of an author begin */
const author = (row: Value[], at: number) => ({
  id: String(row[at]),
  name: row[at + 1],
  designation: row[at + 2],
  photoUrl: row[at + 3] || null,
})

const topicColumns = `t.id, t.header, t.body, t.created_at, ${authorColumns}`
const pageOfTopics = rows(
  `select ${topicColumns} from topic t join participant a on a.id = t.created_by
   where t.id in (select id from topic where is_deleted = 0 order by id desc limit ? offset ?) order by t.id desc`,
)
const oneTopic = rows(
  `select ${topicColumns} from topic t join participant a on a.id = t.created_by where t.id = ? and t.is_deleted = 0`,
)
const twenty = Array(20).fill('?').join()
const ofTopics = (ids: string) => ({
  comments: rows(
    `select c.topic_id, c.id, c.comment, c.created_at, ${authorColumns} from comment c
     join participant a on a.id = c.created_by where c.topic_id in (${ids}) and c.is_deleted = 0 order by c.topic_id, c.id`,
  ),
  likes: rows(
    `select l.topic_id, ${authorColumns} from topic_like l join participant a on a.id = l.participant_id
     where l.topic_id in (${ids}) and l.is_deleted = 0 order by l.id`,
  ),
  files: rows(
    `select topic_id, id, link, file_type from file where topic_id in (${ids}) and is_deleted = 0 order by id`,
  ),
  commentFiles: rows(
    `select f.comment_id, f.id, f.link, f.file_type from comment c join file f on f.comment_id = c.id
     where c.topic_id in (${ids}) and c.is_deleted = 0 and f.is_deleted = 0 order by f.id`,
  ),
})
const ofTwenty = ofTopics(twenty)
const ofOne = ofTopics('?')

const group = (all: Value[][]) => {
  const groups = new Map<Value, Value[][]>()
  for (const row of all) {
    const key = row[0] ?? null
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
const uploaded = (row: Value[]) => ({ id: String(row[1]), link: row[2], fileType: row[3] })

function feed(topics: Value[][]) {
  const ids = topics.map((row) => row[0] ?? null)
  const of = ids.length === 1 ? ofOne : ofTwenty
  while (ids.length > 1 && ids.length < 20) ids.push(null)
  const comments = group(of.comments(...ids))
  const likes = group(of.likes(...ids))
  const files = group(of.files(...ids))
  const commentFiles = group(of.commentFiles(...ids))
  return {
    NewsFeed: topics.map((row) => ({
      id: String(row[0]),
      author: author(row, 4),
      content: {
        header: row[1],
        body: row[2],
        uploaded_files: (files.get(row[0] ?? null) ?? []).map(uploaded),
        dateCreated: stamp(row[3] ?? 0),
      },
      likes: (likes.get(row[0] ?? null) ?? []).map((like) => author(like, 1)),
      comments: (comments.get(row[0] ?? null) ?? []).map((comment) => ({
        id: String(comment[1]),
        comment: comment[2],
        author: author(comment, 4),
        uploaded_files: (commentFiles.get(comment[1] ?? null) ?? []).map(uploaded),
        created_at: stamp(comment[3] ?? 0),
      })),
    })),
  }
}

const pageOfParticipants = rows(
  `select id, first_name || ' ' || last_name, designation, employee_no, email, photo, mobile_no, gender from participant
   where id in (select id from participant where is_deleted = 0 order by id limit ? offset ?) order by id`,
)
const participants = (limit: number, offset: number) => ({
  participants: pageOfParticipants(limit, offset).map((row) => ({
    id: String(row[0]),
    full_name: row[1],
    designation: row[2],
    employee_no: row[3],
    email: row[4],
    photo: row[5] || null,
    mobile_no: row[6],
    gender: row[7],
  })),
})

const order = '(case when date_from is null then 1 else 0 end), date_from, id'
const pageOfEvents = rows(
  `select id, title, date_from, date_to, location_name, location_address from event
   where id in (select id from event where is_deleted = 0 order by ${order} limit ? offset ?) order by ${order}`,
)
const activities = rows(
  `select event_id, date, time, title from activity where event_id in (${twenty}) order by event_id, date, id`,
)
function program(base: string, limit: number, offset: number) {
  const events = pageOfEvents(limit, offset)
  const ids = events.map((row) => row[0] ?? null)
  while (ids.length < 20) ids.push(null)
  const ofEvent = group(activities(...ids))
  return {
    events: events.map((row) => ({
      id: String(row[0]),
      title: row[1],
      imageUrl: `${base}/api/program/banner/get/${row[0]}`,
      date: { date_from: row[2], date_to: row[3] },
      location: { name: row[4], address: row[5] },
      program: [...Map.groupBy(ofEvent.get(row[0] ?? null) ?? [], (activity) => activity[1])].map(([date, ofDay]) => ({
        date,
        dayOfWeek: String(new Date(`${date}T00:00:00Z`).getUTCDay() || 7),
        activities: ofDay.map(([, , time, title]) => ({ title, time })),
      })),
    })),
  }
}

const pageOfFeedback = rows(
  `select f.id, f.comments, f.created_at, ${authorColumns} from feedback f join participant a on a.id = f.participant_id
   where f.id in (select id from feedback where is_deleted = 0 order by id desc limit ? offset ?) order by f.id desc`,
)
const toFeedback = (row: Value[]) => ({
  id: String(row[0]),
  comments: row[1],
  author: author(row, 3),
  dateCreated: stamp(row[2] ?? 0),
})

function read(request: IncomingMessage): object {
  const [, , area, kind, first, second] = (request.url ?? '').split('/')
  switch (area) {
    case 'newsfeeds':
      if (kind === 'topics' && second === 'details') return feed(oneTopic(Number(first)))
      return feed(pageOfTopics(Number(second), Number(first)))
    case 'participants':
      return participants(Number(first), Number(kind))
    case 'program':
      return program(`http://${request.headers.host}`, Number(second), Number(first))
    default:
      return { feedbacks: pageOfFeedback(Number(second), Number(first)).map(toFeedback) }
  }
}

const insertComment = run('insert into comment (topic_id, comment, created_by, created_at) values (?, ?, ?, ?)')
const insertTopic = run('insert into topic (header, body, created_by, created_at) values (?, ?, ?, ?)')
const insertFeedback = run(
  'insert into feedback (participant_id, program_id, rating, comments, created_by, created_at) values (?, ?, ?, ?, ?, ?)',
)
const insertChange = run('insert into change (at, kind, record_id, parent_id, actor_id) values (?, ?, ?, ?, ?)')
const oneAuthor = rows(`select ${authorColumns} from participant a where a.id = ?`)

function write(url: string, body: Record<string, string | number>): object {
  const now = Date.now()
  const at = stamp(now)
  const by = body.created_by ?? body.participant_id ?? 0
  const who = author(oneAuthor(by)[0] ?? [], 0)
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

function answer(response: ServerResponse, data: object): void {
  const body =
    `[{"response_code":1000,"data":${JSON.stringify(data)},"system":{"created_at":"${stamp(Date.now())}",` +
    `"signature":"0123456789012345678901234567890123456789","message":"Success"}}]`
  response
    .writeHead(200, {
      vary: 'Accept',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}

let waiting: { url: string; text: string; response: ServerResponse }[] = []

function commit(batch: typeof waiting): void {
  db.exec('begin immediate')
  const done = batch.map(({ url, text, response }) => ({ response, data: write(url, JSON.parse(text)) }))
  db.exec('commit')
  for (const { response, data } of done) answer(response, data)
}

function commitWaiting(): void {
  const batch = waiting
  waiting = []
  commit(batch)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, read(request))
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
