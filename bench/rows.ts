import { seededRandom } from './random.ts'

/** The number of records of each kind. */
export interface DataSetSize {
  participants: number
  topics: number
  commentsPerTopic: number
  events: number
  feedback: number
}

export const standardSize: DataSetSize = {
  participants: 1_000,
  topics: 10_000,
  commentsPerTopic: 3,
  events: 300,
  feedback: 20_000,
}

/** The rows of the data set, by the names of its files. */
export interface Rows {
  participants: {
    id: number
    first_name: string
    last_name: string
    full_name: string
    designation: string
    employee_no: string
    email: string
    photo: string | null
    mobile_no: string
    gender: string
    created_at: string
  }
  topics: { id: number; participant_id: number; header: string; body: string; created_at: string }
  comments: { id: number; topic_id: number; participant_id: number; comment: string; created_at: string }
  files: { id: number; topic_id: number; link: string; file_type: string }
  likes: { id: number; topic_id: number; participant_id: number; created_at: string }
  events: {
    id: number
    title: string
    banner: string
    date_from: string
    date_to: string
    location_name: string
    location_address: string
    speaker: string
    position: string
    company: string
    photo: string
    description: string
    details: string
    venue: string
    created_at: string
  }
  days: { id: number; event_id: number; date: string; day_of_week: string }
  activities: { id: number; day_id: number; title: string; time: string }
  feedback: {
    id: number
    participant_id: number
    event_id: number
    quality: string
    rating: string
    relevance: string
    expectation: string
    comments: string | null
    created_at: string
  }
}
export type Table = keyof Rows
/** A row and the table that it belongs to. */
export type TableRow = { [T in Table]: { table: T; row: Rows[T] } }[Table]

const words = (
  'summit keynote session panel speaker agenda registration lunch venue ballroom question answer slide product design ' +
  'platform mobile team market customer growth cloud data roadmap partner budget quarter leader culture training workshop award ' +
  'great really today tomorrow morning afternoon please thanks everyone about with from after before because could would should ' +
  'the a of to in and for on at is was are be this that it we you they our more new next first last'
).split(' ')
const firstNames =
  'Ana Ben Carla Diego Elena Felix Grace Hugo Ines Jonas Karen Luis Maria Nico Olga Pedro Queenie Rosa Samuel Tina Ursula Victor Wendy Xavier Yara Zoe'.split(
    ' ',
  )
const lastNames =
  'Abad Bautista Cruz Dizon Espino Flores Garcia Hernandez Ignacio Jimenez King Lopez Mendoza Navarro Ocampo Perez Quizon Reyes Santos Torres Uy Villanueva Wong Yap Zamora'.split(
    ' ',
  )
const jobs = [
  'Software Engineer',
  'Project Manager',
  'Account Executive',
  'Director',
  'Data Analyst',
  'QA Lead',
  'Designer',
  'HR Specialist',
]
const special = ['’', '—', '“good”', '\u{1F44D}', 'café']
const times = ['08:30:00', '10:00:00', '13:00:00', '15:30:00', '18:00:00']

const start = Date.UTC(2024, 0, 1) / 1000
const day = 86_400

/** @param seconds since 1970 */
const timestamp = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/**
 * Generates the data set, row by row. It is the same on every machine; in the standard size it is also the one that
 * other products are loaded with.
 */
export function* generateRows(size: DataSetSize, seed = 42): Generator<TableRow> {
  const random = seededRandom(seed)
  const int = (below: number) => Math.floor(random() * below)
  const pick = (from: readonly string[]) => from[int(from.length)] ?? ''
  const text = (length: number) => {
    let text = ''
    while (text.length < length) text += (text ? ' ' : '') + (random() < 0.004 ? pick(special) : pick(words))
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  const anyParticipant = () => 1 + int(size.participants)

  for (let id = 1; id <= size.participants; id++) {
    const first_name = pick(firstNames)
    const last_name = pick(lastNames)
    const row = {
      id,
      first_name,
      last_name,
      full_name: `${first_name} ${last_name}`,
      designation: pick(jobs),
      employee_no: `E${100_000 + id}`,
      email: `${first_name}.${last_name}.${id}@summit.example`.toLowerCase(),
      photo: id % 10 === 0 ? null : `https://cdn.summit.example/photos/${id}.jpg`,
      mobile_no: id % 3 ? `+63917${1_000_000 + id}` : '',
      gender: id % 2 ? 'M' : 'F',
      created_at: timestamp(start + id),
    }
    yield { table: 'participants', row }
  }

  let comments = 0
  let files = 0
  let likes = 0
  for (let id = 1; id <= size.topics; id++) {
    const at = start + day + id * 60
    const participant_id = anyParticipant()
    const header = text(30 + int(30))
    const body = id % 11 === 0 ? '' : text(120 + int(280))
    yield { table: 'topics', row: { id, participant_id, header, body, created_at: timestamp(at) } }
    for (let index = 1; index <= size.commentsPerTopic; index++) {
      const participant_id = anyParticipant()
      const comment = text(30 + int(140))
      const created_at = timestamp(at + 10 * index)
      yield { table: 'comments', row: { id: ++comments, topic_id: id, participant_id, comment, created_at } }
    }
    if (id % 5 > 0) continue
    const link = `https://cdn.summit.example/uploads/${id}/photo-${int(1e6)}.jpg`
    yield { table: 'files', row: { id: ++files, topic_id: id, link, file_type: 'image/jpeg' } }
    for (let index = 0; index < 2; index++) {
      const row = {
        id: ++likes,
        topic_id: id,
        participant_id: anyParticipant(),
        created_at: timestamp(at + 30 + index),
      }
      yield { table: 'likes', row }
    }
  }

  let days = 0
  let activities = 0
  for (let id = 1; id <= size.events; id++) {
    const firstDay = start + (30 + id) * day
    const row = {
      id,
      title: text(25 + int(25)),
      banner: 'banner.png',
      date_from: timestamp(firstDay + 8 * 3600),
      date_to: timestamp(firstDay + day + 18 * 3600),
      location_name: text(14),
      location_address: text(40),
      speaker: `${pick(firstNames)} ${pick(lastNames)}`,
      position: pick(jobs),
      company: `${pick(lastNames)} Inc.`,
      photo: 'photo.png',
      description: `<p>${text(200)}</p>`,
      details: `<p>${text(300)}</p>`,
      venue: text(20),
      created_at: timestamp(start + id),
    }
    yield { table: 'events', row }
    for (let index = 0; index < 2; index++) {
      const at = firstDay + index * day
      const day_of_week = String(new Date(at * 1000).getUTCDay())
      yield { table: 'days', row: { id: ++days, event_id: id, date: timestamp(at).slice(0, 10), day_of_week } }
      for (let slot = 0; slot < (index ? 2 : 3); slot++) {
        const row = { id: ++activities, day_id: days, title: text(20 + int(30)), time: times[index * 3 + slot] ?? '' }
        yield { table: 'activities', row }
      }
    }
  }

  for (let id = 1; id <= size.feedback; id++) {
    const row = {
      id,
      participant_id: anyParticipant(),
      event_id: 1 + int(size.events),
      quality: String(1 + int(5)),
      rating: String(1 + int(5)),
      relevance: String(1 + int(5)),
      expectation: String(1 + int(5)),
      comments: id % 20 === 0 ? null : text(60 + int(160)) + (id % 7 === 0 ? `\r\n${text(40)}` : ''),
      created_at: timestamp(start + 40 * day + id * 20),
    }
    yield { table: 'feedback', row }
  }
}
