import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { generateRows, type Rows, standardSize } from '../../rows.ts'

const schema = `
create table participant (id integer primary key, first_name varchar(255), last_name varchar(255),
  full_name varchar(255), designation varchar(255), employee_no varchar(255), email varchar(255),
  photo varchar(255), mobile_no varchar(255), gender varchar(255), created_at varchar(255));
create table topic (id integer primary key, created_by integer references participant, header varchar(255), body text,
  created_at varchar(255));
create table comment (id integer primary key, topic_id integer references topic,
  created_by integer references participant, comment text, created_at varchar(255));
create table file (id integer primary key, topic_id integer references topic, link varchar(255),
  file_type varchar(255));
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

/** Foreign keys, and the field for the inverse relation if it is read. */
const relations: [table: string, column: string, target: string, inverse?: string][] = [
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

/** Creates and fills the tables of the data set, and registers them with Directus in its own tables. */
export function createTables(file: string): void {
  using db = new DatabaseSync(file)
  db.exec('pragma synchronous = off; begin')
  db.exec(schema)
  for (const [table, row] of tableRows()) {
    const columns = Object.keys(row)
    db.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`).run(...Object.values(row))
  }
  const addCollection = db.prepare('insert into directus_collections (collection) values (?)')
  for (const collection of collections) addCollection.run(collection)
  const addRelation = db.prepare(
    'insert into directus_relations (many_collection, many_field, one_collection, one_field) values (?, ?, ?, ?)',
  )
  const addField = db.prepare('insert into directus_fields (collection, field, special) values (?, ?, ?)')
  for (const [table, column, target, inverse = null] of relations) {
    addRelation.run(table, column, target, inverse)
    addField.run(table, column, 'm2o')
    if (inverse) addField.run(target, inverse, 'o2m')
  }
  const allow = db.prepare(
    `insert into directus_permissions (collection, action, permissions, validation, fields, policy)
       select ?, ?, '{}', '{}', '*', id from directus_policies where name like '%public%'`,
  )
  for (const collection of collections) for (const action of ['read', 'create']) allow.run(collection, action)
  db.exec('commit')
}

/** The rows of the data set, converted to the tables above. */
function* tableRows(): Generator<[table: string, row: Record<string, SQLInputValue>]> {
  const days = new Map<number, Rows['days']>()
  for (const { table, row } of generateRows(standardSize)) {
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
