import { seededRandom } from './random.ts'

/** A request as the client sends it. */
export interface Request {
  method: 'GET' | 'POST'
  path: string
  /** JSON text. */
  body?: string
}

/** The minimal implementation that a case is compared with. */
export type Floor =
  /** Bare `node:http` that sends the same bytes from memory. */
  | 'bytes'
  /** Raw SQLite behind bare `node:http`: the best queries, run for each request; writes share commits. */
  | 'sqlite'
  /** The same, with a durable commit for each write. */
  | 'single'
  /** Raw `pg` behind bare `node:http`: the best queries as named statements. */
  | 'pg'

/** A part of the workload, measured on its own. */
export interface BenchCase {
  name: string
  description: string
  floor: Floor
  /** The minimum ratio of Summit's rate to the floor's. */
  target: number
  /** Whether Summit runs without its response cache, so that every read queries the database. */
  cold?: boolean
  /** Whether every sync takes a millisecond longer, on both sides. */
  slowDisk?: boolean
  /** Whether Summit uses PostgreSQL. */
  onPostgres?: boolean
  /** Sent in a loop. */
  requests: Request[]
}

const get = (path: string): Request => ({ method: 'GET', path })
const post = (path: string, body: object): Request => ({ method: 'POST', path, body: JSON.stringify(body) })

const pages = {
  R1: get('/api/newsfeeds/topics/0/20'),
  R2: get('/api/newsfeeds/topics/9000/20'),
  R3: get('/api/newsfeeds/topics/5005/details'),
  R4: get('/api/participants/0/50'),
  R5: get('/api/program/list/0/20'),
  R6: get('/api/feedback/list/0/20'),
}

const descriptions = {
  R1: 'feed page of 20',
  R2: 'feed page of 20 at offset 9,000',
  R3: 'topic details',
  R4: 'participants page of 50',
  R5: 'program page of 20',
  R6: 'feedback page of 20',
}

const sentence = 'This is what I took home from the session: ask early, ask often, and write it down afterwards.'

const random = seededRandom(1)
const int = (below: number): number => Math.floor(random() * below)

const comment = () =>
  post(`/api/newsfeeds/topics/${1 + int(10_000)}/comments/create`, { comment: sentence, created_by: 1 + int(1_000) })
const topic = () =>
  post('/api/newsfeeds/topics/create', { name: 'Lunch is served', body: sentence, created_by: 1 + int(1_000) })
const feedback = () =>
  post('/api/feedback/add', {
    participant_id: 1 + int(1_000),
    rating: '5',
    comments: sentence,
    program_id: 1 + int(300),
  })

const repeat = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index))

/** 5,000 distinct pages in random order: every fourth offset of the feed and every fourth topic. */
const manyPages = repeat(2_500, (index) => index * 4)
  .flatMap((offset) => [get(`/api/newsfeeds/topics/${offset}/20`), get(`/api/newsfeeds/topics/${offset + 1}/details`)])
  .map((request) => ({ request, key: random() }))
  .sort((a, b) => a.key - b.key)
  .map(({ request }) => request)

const readNames = Object.keys(pages) as (keyof typeof pages)[]

export const cases: BenchCase[] = [
  ...readNames.map(
    (name): BenchCase => ({
      name,
      description: descriptions[name],
      floor: 'bytes',
      target: 0.75,
      requests: [pages[name]],
    }),
  ),
  { name: 'R*', description: '5,000 distinct pages', floor: 'bytes', target: 0.75, requests: manyPages },
  {
    name: 'S1',
    description: 'schedule of all 300 sessions',
    floor: 'bytes',
    target: 0.75,
    requests: [get('/api/program/schedule')],
  },
  {
    name: 'S2',
    description: 'schedule.ics of all 300 sessions',
    floor: 'bytes',
    target: 0.75,
    requests: [get('/api/program/export/schedule.ics')],
  },
  {
    name: 'H1',
    description: 'page of a day of the program',
    floor: 'bytes',
    target: 0.75,
    requests: [get('/program/2024-02-10')],
  },
  {
    name: 'I1',
    description: 'banner of 200 KB',
    floor: 'bytes',
    target: 0.75,
    requests: [get('/api/program/banner/get/7')],
  },
  ...readNames.map(
    (name): BenchCase => ({
      name: `${name} cold`,
      description: descriptions[name],
      floor: 'sqlite',
      target: 0.8,
      cold: true,
      requests: [pages[name]],
    }),
  ),
  { name: 'W1', description: 'comment', floor: 'sqlite', target: 0.5, requests: repeat(2_000, comment) },
  {
    name: 'W1 slow',
    description: 'comment, where a sync takes 1 ms',
    floor: 'single',
    target: 5,
    slowDisk: true,
    requests: repeat(2_000, comment),
  },
  { name: 'W2', description: 'topic', floor: 'sqlite', target: 0.5, requests: repeat(2_000, topic) },
  { name: 'W3', description: 'feedback', floor: 'sqlite', target: 0.5, requests: repeat(2_000, feedback) },
  {
    name: 'M',
    description: '90 % R1, R3, R5 and 10 % W1',
    floor: 'sqlite',
    target: 4,
    requests: repeat(2_000, (index) =>
      index % 10 === 9
        ? comment()
        : ([pages.R1, get(`/api/newsfeeds/topics/${1 + int(10_000)}/details`), pages.R5][index % 3] ?? pages.R1),
    ),
  },
  ...readNames.map(
    (name): BenchCase => ({
      name: `${name} pg`,
      description: `${descriptions[name]}, on PostgreSQL`,
      floor: 'bytes',
      target: 0.6,
      onPostgres: true,
      requests: [pages[name]],
    }),
  ),
  ...readNames.map(
    (name): BenchCase => ({
      name: `${name} cold pg`,
      description: `${descriptions[name]}, on PostgreSQL`,
      floor: 'pg',
      target: 0.7,
      cold: true,
      onPostgres: true,
      requests: [pages[name]],
    }),
  ),
]
