import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, PostgresAdapter } from 'kysely'

/**
 * The program as conferences have it: rooms, tracks and speakers of their own. They are found in the texts of the events,
 * which keep their bytes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db)
  await findRoomsAndSpeakers(db as Kysely<Program>)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const idType = postgres ? 'bigint' : 'integer'
  const number = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
  const list = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('[]')
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  const create = (table: string) => db.schema.createTable(table).addColumn('id', idType, identity)
  const dated = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    table.addColumn('created_at', 'bigint', required).addColumn('modified_at', 'bigint', number)

  await dated(create('conference'))
    .addColumn('title', 'text', text)
    .addColumn('acronym', 'text', text)
    .addColumn('url', 'text', text)
    .addColumn('time_zone', 'text', text)
    .addColumn('first_day', 'text', text)
    .addColumn('last_day', 'text', text)
    .addColumn('slot_minutes', 'integer', number)
    .execute()

  await dated(create('room'))
    .addColumn('source', 'text', text)
    .addColumn('source_key', 'text', text)
    .addColumn('guid', 'text', text)
    .addColumn('name', 'text', required)
    .addColumn('building', 'text')
    .addColumn('address', 'text', text)
    .addColumn('capacity', 'integer', number)
    .addColumn('description', 'text', text)
    .addColumn('sort', 'integer', number)
    .execute()

  await dated(create('track'))
    .addColumn('name', 'text', required)
    .addColumn('color', 'text', text)
    .addColumn('sort', 'integer', number)
    .execute()

  await dated(create('speaker'))
    .addColumn('source', 'text', text)
    .addColumn('source_key', 'text', text)
    .addColumn('guid', 'text', text)
    .addColumn('name', 'text', required)
    .addColumn('position', 'text', text)
    .addColumn('company', 'text', text)
    .addColumn('biography', 'text', text)
    .addColumn('photo', 'text', text)
    .addColumn('links', 'text', list)
    .execute()

  await create('event_speaker')
    .addColumn('event_id', 'bigint', (column) => column.notNull().references('event.id'))
    .addColumn('speaker_id', 'bigint', (column) => column.notNull().references('speaker.id'))
    .addColumn('sort', 'integer', required)
    .execute()
  const speakers = db.schema.createIndex('speaker_of_event').on('event_speaker').columns(['event_id', 'speaker_id'])
  await speakers.unique().execute()
  await db.schema.createIndex('event_of_speaker').on('event_speaker').column('speaker_id').execute()

  const add = (name: string, type: 'bigint' | 'text' | 'integer', build: typeof text) =>
    db.schema.alterTable('event').addColumn(name, type, build).execute()
  await add('guid', 'text', text)
  for (const table of ['room', 'track'])
    await add(`${table}_id`, 'bigint', (column) => column.references(`${table}.id`))
  for (const name of ['subtitle', 'type', 'language', 'code', 'slug', 'license']) await add(name, 'text', text)
  for (const name of ['tags', 'links']) await add(name, 'text', list)
  await add('do_not_record', 'integer', number)
  await db.schema.createIndex('event_by_guid').on('event').column('guid').execute()
  for (const table of ['room', 'track'])
    await db.schema.createIndex(`event_of_${table}`).on('event').column(`${table}_id`).execute()
}

/** The columns that show the room and the speakers of an event. */
interface Texts {
  location_name: string
  location_address: string
  venue: string
  speaker: string
  position: string
  company: string
}

interface EventRow extends Texts {
  id: number
  source: string
  source_key: string
  created_at: number
  guid: string
  room_id: number | null
}

interface Room {
  name: string
  building: string | null
  address: string
}

interface Speaker {
  name: string
  position: string
  company: string
}

interface Program {
  event: EventRow
  room: Room & { id?: number; guid: string; created_at: number }
  speaker: Speaker & { id?: number; guid: string; source: string; created_at: number }
  event_speaker: { event_id: number; speaker_id: number; sort: number }
  import_record: { id: number; kind: string; record_id: number; before: string; after: string }
}

/** The room and the speakers of an event, by their ids. */
type Find = (event: EventRow) => Promise<{ room_id: number | null; speakers: number[] }>

const batchSize = 200

async function findRoomsAndSpeakers(db: Kysely<Program>): Promise<void> {
  const find = createFinder(db)
  const guids = new Map<number, string>()
  const taken = new Set<string>()
  for (let after = 0; ; ) {
    const batch = db.selectFrom('event').selectAll().where('id', '>', after).orderBy('id').limit(batchSize)
    const events = await batch.execute()
    for (const event of events) {
      const { room_id, speakers } = await find(event)
      const guid = await guidOf(event, taken)
      guids.set(event.id, guid)
      await db.updateTable('event').set({ guid, room_id }).where('id', '=', event.id).execute()
      const rows = speakers.map((speaker_id, sort) => ({ event_id: event.id, speaker_id, sort }))
      if (rows.length > 0) await db.insertInto('event_speaker').values(rows).execute()
    }
    after = events.at(-1)?.id ?? after
    if (events.length < batchSize) break
  }
  await rewriteStates(db, find, guids)
}

/** Finds rooms by all that is said of a place, and speakers by all that is said of a person in the same program. */
function createFinder(db: Kysely<Program>): Find {
  const ids = new Map<string, number>()
  const idOf = async (
    event: Pick<EventRow, 'id' | 'created_at'>,
    identity: unknown[],
    insert: (guid: string) => Promise<{ id?: number | undefined }>,
  ) => {
    const key = JSON.stringify(identity)
    // Names have no part in the UUID, which outlives them when they are erased.
    const guid = await hashed([identity[0], ids.size, event.id, event.created_at])
    const id = ids.get(key) ?? (await insert(guid)).id ?? 0
    ids.set(key, id)
    return id
  }
  return async (event) => {
    const { created_at, source } = event
    const room = readRoom(event)
    const room_id =
      room &&
      (await idOf(event, ['room', room.building, room.name, room.address], (guid) =>
        db
          .insertInto('room')
          .values({ ...room, guid, created_at })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ))
    const speakers: number[] = []
    for (const speaker of readSpeakers(event))
      speakers.push(
        await idOf(event, ['speaker', source, speaker.name, speaker.position, speaker.company], (guid) =>
          db
            .insertInto('speaker')
            .values({ ...speaker, guid, source, created_at })
            .returning('id')
            .executeTakeFirstOrThrow(),
        ),
      )
    return { room_id, speakers: [...new Set(speakers)] }
  }
}

/** The room of an event: its venue in a building, or its location. */
function readRoom({ location_name, location_address: address, venue }: Texts): Room | null {
  if (venue !== '') return { name: venue, building: location_name, address }
  return location_name === '' && address === '' ? null : { name: location_name, building: null, address }
}

/**
 * The speakers of an event. Several are told apart only where it is certain whose each position and company is, and where
 * joining them again gives the same texts; else they are one.
 */
function readSpeakers({ speaker, position, company }: Texts): Speaker[] {
  if (speaker === '' && position === '' && company === '') return []
  const names = splitNames(speaker)
  const positions = position === '' ? [] : position.split(', ')
  const companies = company === '' ? [] : company.split(', ')
  const fits = (parts: string[]) => parts.length === 0 || parts.length === names.length
  const people = names.map((name, index) => ({
    name,
    position: positions[index] ?? '',
    company: companies[index] ?? '',
  }))
  const join = (parts: string[]) => [...new Set(parts.filter((part) => part !== ''))].join(', ')
  const isSame =
    join(people.map(({ name }) => name)) === speaker &&
    join(people.map((person) => person.position)) === position &&
    join(people.map((person) => person.company)) === company
  return names.length > 1 && fits(positions) && fits(companies) && isSame
    ? people
    : [{ name: speaker, position, company }]
}

const titleOrSuffix = /^(?:ph\.?d|dr|md|m\.?sc|b\.?sc|mba|jr|sr|prof|ii|iii|esq|cissp|mvp)\.?$/i

/** Splits names at commas, except before a title or suffix, and in one name that begins with the family name. */
function splitNames(text: string): string[] {
  const names: string[] = []
  for (const part of text.split(', ')) {
    const last = names.at(-1)
    if (last !== undefined && titleOrSuffix.test(part)) names[names.length - 1] = `${last}, ${part}`
    else names.push(part)
  }
  return names.length === 2 && !names[0]?.includes(' ') ? [text] : names
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** The UUID with which the event was imported; else one that is the same in every copy of the database (RFC 9562, 5.8). */
async function guidOf({ id, created_at, source, source_key }: EventRow, taken: Set<string>): Promise<string> {
  const given = source_key.toLowerCase()
  const guid = uuid.test(given) && !taken.has(given) ? given : await hashed([id, created_at, source, source_key])
  taken.add(guid)
  return guid
}

async function hashed(values: unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(values)))
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Writes the states of events, to which an undone import returns, with their rooms and speakers instead of the texts. */
async function rewriteStates(db: Kysely<Program>, find: Find, guids: ReadonlyMap<number, string>): Promise<void> {
  const rewrite = async (state: string): Promise<string> => {
    if (state === '') return ''
    const { row, activities } = JSON.parse(state) as { row: EventRow; activities: unknown }
    const { location_name: _1, location_address: _2, venue: _3, speaker: _4, position: _5, company: _6, ...rest } = row
    const { room_id, speakers } = await find(row)
    const lists = { tags: '[]', links: '[]' }
    const texts = { subtitle: '', type: '', language: '', code: '', slug: '', license: '' }
    const guid = guids.get(row.id) ?? (await guidOf(row, new Set()))
    const changed = { ...rest, ...lists, ...texts, guid, room_id, track_id: null, do_not_record: 0 }
    return JSON.stringify({ activities, row: sorted(changed), speakers })
  }
  for (let after = 0; ; ) {
    const batch = db.selectFrom('import_record').selectAll().where('kind', '=', 'event').where('id', '>', after)
    const records = await batch.orderBy('id').limit(batchSize).execute()
    for (const { id, before, after: now } of records)
      await db
        .updateTable('import_record')
        .set({ before: await rewrite(before), after: await rewrite(now) })
        .where('id', '=', id)
        .execute()
    after = records.at(-1)?.id ?? after
    if (records.length < batchSize) return
  }
}

/** States are compared as text, with their members in order. */
const sorted = (record: object): object =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
