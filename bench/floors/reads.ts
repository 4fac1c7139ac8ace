import { createSecretKey } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { envelope } from '../../src/server/core/envelope.ts'

/** What both floors with a database read, and what they make of it. The rows are arrays, in the order of the columns. */
export type Value = string | number | null
export type Rows = Value[][]

export const stamp = (ms: Value) => new Date(Number(ms)).toISOString().slice(0, 19).replace('T', ' ')

export const authorColumns = "a.id, a.first_name || ' ' || a.last_name, a.designation, a.photo"
/** @param at where the four columns of an author begin */
export const author = (row: Value[], at: number) => ({
  id: String(row[at]),
  name: row[at + 1],
  designation: row[at + 2],
  photoUrl: row[at + 3] || null,
})

const topicColumns = `t.id, t.header, t.body, t.created_at, ${authorColumns}`
const pageOfTopics = `select ${topicColumns} from topic t join participant a on a.id = t.created_by
   where t.id in (select id from topic where is_deleted = 0 order by id desc limit ? offset ?) order by t.id desc`
const oneTopic = `select ${topicColumns} from topic t join participant a on a.id = t.created_by
   where t.id = ? and t.is_deleted = 0`

/** Ids that one statement takes; what is left over is null. */
const atOnce = 20
const twenty = Array(atOnce).fill('?').join()
/** The ids of rows, for a statement that takes one or so many. */
export function idsOf(found: Rows): Value[] {
  const ids = found.map((row) => row[0] ?? null)
  return ids.length === 1 ? ids : [...ids, ...Array(atOnce - ids.length).fill(null)]
}

const ofTopics = (ids: string) => ({
  comments: `select c.topic_id, c.id, c.comment, c.created_at, ${authorColumns},
     (select f.id from file f where f.comment_id = c.id and f.is_deleted = 0 limit 1) from comment c
     join participant a on a.id = c.created_by where c.topic_id in (${ids}) and c.is_deleted = 0 order by c.topic_id, c.id`,
  likes: `select l.topic_id, ${authorColumns} from topic_like l join participant a on a.id = l.participant_id
     where l.topic_id in (${ids}) and l.is_deleted = 0 order by l.id`,
  files: `select topic_id, id, link, file_type from file where topic_id in (${ids}) and is_deleted = 0 order by id`,
  commentFiles: `select f.comment_id, f.id, f.link, f.file_type from comment c join file f on f.comment_id = c.id
     where c.topic_id in (${ids}) and c.is_deleted = 0 and f.is_deleted = 0 order by f.id`,
})
const ofTwenty = ofTopics(twenty)
const ofOne = ofTopics('?')

/** Whether any of these comments has files, for which it is not worth a query otherwise. */
export const haveFiles = (comments: Rows): boolean => comments.some((row) => row[8] !== null)

const group = (all: Rows) => {
  const groups = new Map<Value, Rows>()
  for (const row of all) {
    const key = row[0] ?? null
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
const uploaded = (row: Value[]) => ({ id: String(row[1]), link: row[2], fileType: row[3] })

export function toFeed(topics: Rows, all: { [K in keyof typeof ofOne]: Rows }) {
  const comments = group(all.comments)
  const likes = group(all.likes)
  const files = group(all.files)
  const commentFiles = group(all.commentFiles)
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
const activities = `select event_id, date, time, title from activity where event_id in (${twenty})
   order by event_id, date, id`
export function toProgram(base: string, events: Rows, all: Rows) {
  const ofEvent = group(all)
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

const pageOfFeedback = `select f.id, f.comments, f.created_at, ${authorColumns} from feedback f
   join participant a on a.id = f.participant_id
   where f.id in (select id from feedback where is_deleted = 0 order by id desc limit ? offset ?) order by f.id desc`
export const toFeedbacks = (all: Rows) => ({
  feedbacks: all.map((row) => ({
    id: String(row[0]),
    comments: row[1],
    author: author(row, 3),
    dateCreated: stamp(row[2] ?? 0),
  })),
})

/** Every statement, made ready in the way of an engine. */
export function statements<S>(prepare: (text: string) => S) {
  const ofTopics = (texts: typeof ofOne) => ({
    comments: prepare(texts.comments),
    likes: prepare(texts.likes),
    files: prepare(texts.files),
    commentFiles: prepare(texts.commentFiles),
  })
  return {
    pageOfTopics: prepare(pageOfTopics),
    oneTopic: prepare(oneTopic),
    ofOne: ofTopics(ofOne),
    ofTwenty: ofTopics(ofTwenty),
    pageOfParticipants: prepare(pageOfParticipants),
    pageOfEvents: prepare(pageOfEvents),
    activities: prepare(activities),
    pageOfFeedback: prepare(pageOfFeedback),
  }
}

/** What a database has to be able to answer, at once or later. */
export interface Reads {
  feed(limit: number, offset: number): object
  topic(id: number): object
  participants(limit: number, offset: number): object
  program(base: string, limit: number, offset: number): object
  feedback(limit: number, offset: number): object
}

/** What a request asks for. */
export function read(request: IncomingMessage, reads: Reads): object {
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

/** Only where `SIGNING` is set do floors sign, to tell what is left of a ratio without the signature. */
const key = process.env.SIGNING ? createSecretKey(Buffer.alloc(32)) : undefined

/** Answers the data, signed by nobody, or as ours is. */
export function answer(response: ServerResponse, data: object): void {
  const [text, at] = [JSON.stringify(data), stamp(Date.now())]
  const body = key
    ? envelope(key, 1000, text, at, 'Success')
    : `[{"response_code":1000,"data":${text},"system":{"created_at":"${at}",` +
      `"signature":"0123456789012345678901234567890123456789","message":"Success"}}]`
  response
    .writeHead(200, {
      vary: 'Accept',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}
