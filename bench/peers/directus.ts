import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { promisify } from 'node:util'
import { freePort } from '../../test/free-port.ts'
import { generate, type Rows, standardSize } from '../data.ts'
import { type Server, startServer } from '../server.ts'
import type { Request } from '../workload.ts'

/**
 * Directus (https://directus.io), a server that makes a REST interface of the tables of a database, on SQLite: the data
 * set in tables as a team would make them, which anybody may read and add to. What it is asked for holds what our answers
 * hold, less the files of comments, of which the data set has none, and what we compute: addresses of banners and days of
 * the week. It keeps an activity and a revision of each write, as we keep our log.
 */

/** Where Directus is installed, and the Node that it runs on. */
export interface Installation {
  folder: string
  node: string
}

const participant = ['id', 'full_name', 'designation', 'photo']
const of = (member: string, fields: readonly string[]): string[] => fields.map((field) => `${member}.${field}`)

const topicFields = [
  ...['id', 'header', 'body', 'created_at'],
  ...of('created_by', participant),
  ...of('files', ['id', 'link', 'file_type']),
  ...of('likes.participant_id', participant),
  ...of('comments', ['id', 'comment', 'created_at', ...of('created_by', participant)]),
].join()
const participantFields = [...participant, 'employee_no', 'email', 'mobile_no', 'gender'].join()
const eventFields = [
  ...['id', 'title', 'date_from', 'date_to', 'location_name', 'location_address'],
  ...of('activities', ['date', 'time', 'title']),
].join()
const feedbackFields = ['id', 'comments', 'created_at', ...of('participant_id', participant)].join()

const list = (collection: string, fields: string, sort: string, offset: string, limit: string): Request => ({
  method: 'GET',
  path: `/items/${collection}?fields=${fields}&sort=${sort}&offset=${offset}&limit=${limit}`,
})

/** What Directus is to be asked for instead of a request of the workload. @throws Error for one that is not known here */
export function forDirectus({ method, path, body = '{}' }: Request): Request {
  const [, , area = '', first = '', second = '', third = ''] = path.split('/')
  if (method === 'GET') {
    if (third === 'details') return { method, path: `/items/topic/${second}?fields=${topicFields}` }
    if (area === 'newsfeeds') return list('topic', topicFields, '-id', second, third)
    if (area === 'participants') return list('participant', participantFields, 'id', first, second)
    if (area === 'program') return list('event', eventFields, 'date_from,id', second, third)
    if (area === 'feedback') return list('feedback', feedbackFields, '-id', second, third)
  }
  const given = JSON.parse(body)
  const add = (collection: string, item: object): Request => ({
    method,
    path: `/items/${collection}`,
    body: JSON.stringify({ ...item, created_at: '2024-06-01 12:00:00' }),
  })
  if (third === 'comments') return add('comment', { ...given, topic_id: Number(second) })
  if (area === 'newsfeeds') return add('topic', { header: given.name, body: given.body, created_by: given.created_by })
  if (area === 'feedback') return add('feedback', given)
  throw new Error(`nothing is known of ${method} ${path} for Directus`)
}

const schema = `
create table participant (id integer primary key, first_name varchar(255), last_name varchar(255), full_name varchar(255),
  designation varchar(255), employee_no varchar(255), email varchar(255), photo varchar(255), mobile_no varchar(255),
  gender varchar(255), created_at varchar(255));
create table topic (id integer primary key, created_by integer references participant, header varchar(255), body text,
  created_at varchar(255));
create table comment (id integer primary key, topic_id integer references topic, created_by integer references participant,
  comment text, created_at varchar(255));
create table file (id integer primary key, topic_id integer references topic, link varchar(255), file_type varchar(255));
create table topic_like (id integer primary key, topic_id integer references topic,
  participant_id integer references participant, created_at varchar(255));
create table event (id integer primary key, title varchar(255), date_from varchar(255), date_to varchar(255),
  location_name varchar(255), location_address varchar(255));
create table activity (id integer primary key, event_id integer references event, date varchar(255), time varchar(255),
  title varchar(255));
create table feedback (id integer primary key, participant_id integer references participant,
  program_id integer references event, rating varchar(255), comments text, created_at varchar(255));
create index comment_topic on comment (topic_id);
create index file_topic on file (topic_id);
create index topic_like_topic on topic_like (topic_id);
create index activity_event on activity (event_id);
create index event_date on event (date_from, id);`

/** Which column refers to which table, and the name of those that refer to a row, where it has one. */
const relations: [table: string, column: string, to: string, many?: string][] = [
  ['topic', 'created_by', 'participant'],
  ['comment', 'created_by', 'participant'],
  ['comment', 'topic_id', 'topic', 'comments'],
  ['file', 'topic_id', 'topic', 'files'],
  ['topic_like', 'topic_id', 'topic', 'likes'],
  ['topic_like', 'participant_id', 'participant'],
  ['activity', 'event_id', 'event', 'activities'],
  ['feedback', 'participant_id', 'participant'],
  ['feedback', 'program_id', 'event'],
]
const collections = ['participant', 'topic', 'comment', 'file', 'topic_like', 'event', 'activity', 'feedback']

/** Starts a new Directus in `work` with the data set. @throws Error when it is not installed there */
export async function startDirectus(
  { folder, node }: Installation,
  work: string,
  chosen: Record<string, string>,
): Promise<Server> {
  mkdirSync(work)
  const program = join(folder, 'node_modules/directus/cli.js')
  const port = await freePort()
  const file = join(work, 'data.db')
  const settings = {
    ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: file, SECRET: 'of this measurement only', HOST: '127.0.0.1' },
    ...{ PORT: `${port}`, ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'of this measurement only' },
    ...{ TELEMETRY: 'false', NODE_ENV: 'production', STORAGE_LOCAL_ROOT: join(work, 'uploads'), HOME: work },
    // By itself it refuses requests when its event loop is late, as it is under load.
    ...{ LOG_STYLE: 'raw', PRESSURE_LIMITER_ENABLED: 'false', ...chosen },
  }
  await promisify(execFile)(node, [program, 'bootstrap'], { cwd: work, env: { PATH: process.env.PATH, ...settings } })
  fill(file)
  return startServer(program, ['start'], settings, join(work, 'log'), node)
}

function fill(file: string): void {
  using db = new DatabaseSync(file)
  db.exec('pragma synchronous = off; begin')
  db.exec(schema)
  for (const [table, row] of rows()) {
    const columns = Object.keys(row)
    db.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`).run(...Object.values(row))
  }
  const addCollection = db.prepare('insert into directus_collections (collection) values (?)')
  for (const collection of collections) addCollection.run(collection)
  const addRelation = db.prepare(
    'insert into directus_relations (many_collection, many_field, one_collection, one_field) values (?, ?, ?, ?)',
  )
  const addField = db.prepare('insert into directus_fields (collection, field, special) values (?, ?, ?)')
  for (const [table, column, to, many = null] of relations) {
    addRelation.run(table, column, to, many)
    addField.run(table, column, 'm2o')
    if (many) addField.run(to, many, 'o2m')
  }
  const allow = db.prepare(
    `insert into directus_permissions (collection, action, permissions, validation, fields, policy)
       select ?, ?, '{}', '{}', '*', id from directus_policies where name like '%public%'`,
  )
  for (const collection of collections) for (const action of ['read', 'create']) allow.run(collection, action)
  db.exec('commit')
}

/** The rows of the data set as the tables above have them. */
function* rows(): Generator<[table: string, row: Record<string, SQLInputValue>]> {
  const days = new Map<number, Rows['days']>()
  for (const { table, row } of generate(standardSize)) {
    switch (table) {
      case 'participants':
        yield ['participant', { ...row }]
        break
      case 'topics':
      case 'comments': {
        const { participant_id, ...rest } = row
        yield [table.slice(0, -1), { ...rest, created_by: participant_id }]
        break
      }
      case 'files':
        yield ['file', { ...row }]
        break
      case 'likes':
        yield ['topic_like', { ...row }]
        break
      case 'events': {
        const { id, title, date_from, date_to, location_name, location_address } = row
        yield ['event', { id, title, date_from, date_to, location_name, location_address }]
        break
      }
      case 'days':
        days.set(row.id, row)
        break
      case 'activities': {
        const { id, day_id, title, time } = row
        const { event_id = 0, date = '' } = days.get(day_id) ?? {}
        yield ['activity', { id, event_id, date, time, title }]
        break
      }
      case 'feedback': {
        const { id, participant_id, event_id, rating, comments, created_at } = row
        yield ['feedback', { id, participant_id, program_id: event_id, rating, comments, created_at }]
        break
      }
    }
  }
}
