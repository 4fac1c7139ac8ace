import type { IncomingMessage, ServerResponse } from 'node:http'
import { envelope } from '../../src/server/core/envelope.ts'
import { HmacKey } from '../../src/server/core/hmac-key.ts'

/** The queries of both floors with a database, and the responses built from them. Rows are arrays of column values. */
export type Value = string | number | null
export type Rows = Value[][]

export const formatTimestamp = (ms: Value) => new Date(Number(ms)).toISOString().slice(0, 19).replace('T', ' ')

export const authorColumns = "a.id, a.first_name || ' ' || a.last_name, a.designation, a.photo"
/** @param index of the first of the four author columns */
export const toAuthor = (row: Value[], index: number) => ({
  id: String(row[index]),
  name: row[index + 1],
  designation: row[index + 2],
  photoUrl: row[index + 3] || null,
})

const topicColumns = `t.id, t.header, t.body, t.created_at, ${authorColumns}`
const pageOfTopics = `select ${topicColumns} from topic t join participant a on a.id = t.created_by
   where t.id in (select id from topic where is_deleted = 0 order by id desc limit ? offset ?) order by t.id desc`
const oneTopic = `select ${topicColumns} from topic t join participant a on a.id = t.created_by
   where t.id = ? and t.is_deleted = 0`

/** The number of ids in a list statement. */
const listSize = 20
const listPlaceholders = Array(listSize).fill('?').join()
/** The ids of rows, for a statement that takes one id, or for a list statement, padded with null. */
export function extractIds(rows: Rows): Value[] {
  const ids = rows.map((row) => row[0] ?? null)
  return ids.length === 1 ? ids : [...ids, ...Array(listSize - ids.length).fill(null)]
}

const topicQueries = (ids: string) => ({
  comments: `select c.topic_id, c.id, c.comment, c.created_at, ${authorColumns},
     (select f.id from file f where f.comment_id = c.id and f.is_deleted = 0 limit 1) from comment c
     join participant a on a.id = c.created_by where c.topic_id in (${ids}) and c.is_deleted = 0 order by c.topic_id, c.id`,
  likes: `select l.topic_id, ${authorColumns} from topic_like l join participant a on a.id = l.participant_id
     where l.topic_id in (${ids}) and l.is_deleted = 0 order by l.id`,
  files: `select topic_id, id, link, file_type from file where topic_id in (${ids}) and is_deleted = 0 order by id`,
  commentFiles: `select f.comment_id, f.id, f.link, f.file_type from comment c join file f on f.comment_id = c.id
     where c.topic_id in (${ids}) and c.is_deleted = 0 and f.is_deleted = 0 order by f.id`,
})
const listQueries = topicQueries(listPlaceholders)
const singleQueries = topicQueries('?')

/** Whether any comment has files. If not, the query for them is skipped. */
export const haveFiles = (comments: Rows): boolean => comments.some((row) => row[8] !== null)

const groupByFirstColumn = (rows: Rows) => {
  const groups = new Map<Value, Rows>()
  for (const row of rows) {
    const key = row[0] ?? null
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
const toFile = (row: Value[]) => ({ id: String(row[1]), link: row[2], fileType: row[3] })

export function toFeed(topics: Rows, all: { [K in keyof typeof singleQueries]: Rows }) {
  const comments = groupByFirstColumn(all.comments)
  const likes = groupByFirstColumn(all.likes)
  const files = groupByFirstColumn(all.files)
  const commentFiles = groupByFirstColumn(all.commentFiles)
  return {
    NewsFeed: topics.map((row) => ({
      id: String(row[0]),
      author: toAuthor(row, 4),
      content: {
        header: row[1],
        body: row[2],
        uploaded_files: (files.get(row[0] ?? null) ?? []).map(toFile),
        dateCreated: formatTimestamp(row[3] ?? 0),
      },
      likes: (likes.get(row[0] ?? null) ?? []).map((like) => toAuthor(like, 1)),
      comments: (comments.get(row[0] ?? null) ?? []).map((comment) => ({
        id: String(comment[1]),
        comment: comment[2],
        author: toAuthor(comment, 4),
        uploaded_files: (commentFiles.get(comment[1] ?? null) ?? []).map(toFile),
        created_at: formatTimestamp(comment[3] ?? 0),
      })),
    })),
  }
}

const pageOfParticipants = `select id, first_name || ' ' || last_name, designation, employee_no, email, photo,
   mobile_no, gender from participant
   where id in (select id from participant where is_deleted = 0 order by id limit ? offset ?) order by id`
export const toParticipants = (all: Rows) => ({
  participants: all.map((row) => ({
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
const pageOfEvents = `select id, title, date_from, date_to, location_name, location_address from event
   where id in (select id from event where is_deleted = 0 order by ${order} limit ? offset ?) order by ${order}`
const activities = `select event_id, date, time, title from activity where event_id in (${listPlaceholders})
   order by event_id, date, id`
export function toProgram(baseUrl: string, events: Rows, activities: Rows) {
  const activitiesByEvent = groupByFirstColumn(activities)
  return {
    events: events.map((row) => ({
      id: String(row[0]),
      title: row[1],
      imageUrl: `${baseUrl}/api/program/banner/get/${row[0]}`,
      date: { date_from: row[2], date_to: row[3] },
      location: { name: row[4], address: row[5] },
      program: [...Map.groupBy(activitiesByEvent.get(row[0] ?? null) ?? [], (activity) => activity[1])].map(
        ([date, day]) => ({
          date,
          dayOfWeek: String(new Date(`${date}T00:00:00Z`).getUTCDay() || 7),
          activities: day.map(([, , time, title]) => ({ title, time })),
        }),
      ),
    })),
  }
}

const pageOfFeedback = `select f.id, f.comments, f.created_at, ${authorColumns} from feedback f
   join participant a on a.id = f.participant_id
   where f.id in (select id from feedback where is_deleted = 0 order by id desc limit ? offset ?) order by f.id desc`
export const toFeedbacks = (all: Rows) => ({
  feedbacks: all.map((row) => ({
    id: String(row[0]),
    comments: row[1],
    author: toAuthor(row, 3),
    dateCreated: formatTimestamp(row[2] ?? 0),
  })),
})

/** Prepares every statement with the function of an engine. */
export function prepareStatements<S>(prepare: (text: string) => S) {
  const prepareTopicQueries = (queries: typeof singleQueries) => ({
    comments: prepare(queries.comments),
    likes: prepare(queries.likes),
    files: prepare(queries.files),
    commentFiles: prepare(queries.commentFiles),
  })
  return {
    pageOfTopics: prepare(pageOfTopics),
    oneTopic: prepare(oneTopic),
    singleTopic: prepareTopicQueries(singleQueries),
    topicList: prepareTopicQueries(listQueries),
    pageOfParticipants: prepare(pageOfParticipants),
    pageOfEvents: prepare(pageOfEvents),
    activities: prepare(activities),
    pageOfFeedback: prepare(pageOfFeedback),
  }
}

/** The reads of the workload. Each returns the data of a response or a promise of it. */
export interface Reads {
  feed(limit: number, offset: number): object
  topic(id: number): object
  participants(limit: number, offset: number): object
  program(baseUrl: string, limit: number, offset: number): object
  feedback(limit: number, offset: number): object
}

/** Runs the read that a request asks for. */
export function dispatchRead(request: IncomingMessage, reads: Reads): object {
  const [, , area, kind, first, second] = (request.url ?? '').split('/')
  switch (area) {
    case 'newsfeeds':
      if (kind === 'topics' && second === 'details') return reads.topic(Number(first))
      return reads.feed(Number(second), Number(first))
    case 'participants':
      return reads.participants(Number(first), Number(kind))
    case 'program':
      return reads.program(`http://${request.headers.host}`, Number(second), Number(first))
    default:
      return reads.feedback(Number(second), Number(first))
  }
}

/** With `SIGNING`, responses are signed, so that the ratio excludes the cost of the signature. */
const signingKey = process.env.SIGNING ? new HmacKey(Buffer.alloc(32)) : undefined

/** Sends the data in an envelope, with a constant instead of a signature unless `SIGNING` is set. */
export function sendData(response: ServerResponse, data: object): void {
  const [text, createdAt] = [JSON.stringify(data), formatTimestamp(Date.now())]
  const body = signingKey
    ? envelope(signingKey, 1000, text, createdAt, 'Success')
    : `[{"response_code":1000,"data":${text},"system":{"created_at":"${createdAt}",` +
      `"signature":"0123456789012345678901234567890123456789","message":"Success"}}]`
  response
    .writeHead(200, {
      vary: 'Accept',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}
