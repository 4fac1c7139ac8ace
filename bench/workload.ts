import { seeded } from './random.ts'

/** One request as the client sends it. */
export interface Request {
  method: 'GET' | 'POST'
  path: string
  /** JSON text. */
  body?: string
}

/** What is compared with what. */
export type Floor =
  /** Bare `node:http` that sends the same bytes from memory. */
  | 'bytes'
  /** Raw SQLite behind bare `node:http`: the best queries, made anew for each request; writes share commits. */
  | 'sqlite'
  /** The same, with a durable commit for each write. */
  | 'single'
  /** Raw `pg` behind bare `node:http`: the best queries as named statements. */
  | 'pg'

/** A part of the workload: requests sent round and round. */
export interface Case {
  name: string
  what: string
  floor: Floor
  /** The least ratio of our rate to the floor's that we accept as reached. */
  target: number
  /** Whether our server keeps pages; without, every read is a first read. */
  cold?: boolean
  /** Whether every sync takes a millisecond longer, on both sides. */
  slowDisk?: boolean
  /** Whether our server has its tables on PostgreSQL. */
  onPostgres?: boolean
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

const whatOf = {
  R1: 'feed page of 20',
  R2: 'feed page of 20 at offset 9,000',
  R3: 'topic details',
  R4: 'participants page of 50',
  R5: 'program page of 20',
  R6: 'feedback page of 20',
}

const sentence = 'This is what I took home from the session: ask early, ask often, and write it down afterwards.'

const random = seeded(1)
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

const times = <T>(n: number, make: (nth: number) => T): T[] => Array.from({ length: n }, (_, nth) => make(nth))

/** 5,000 distinct pages: every fourth offset of the feed, every fourth topic, in no order. */
const manyPages = times(2_500, (nth) => nth * 4)
  .flatMap((at) => [get(`/api/newsfeeds/topics/${at}/20`), get(`/api/newsfeeds/topics/${at + 1}/details`)])
  .map((request) => ({ request, key: random() }))
  .sort((a, b) => a.key - b.key)
  .map(({ request }) => request)

const readNames = Object.keys(pages) as (keyof typeof pages)[]

export const cases: Case[] = [
  ...readNames.map(
    (name): Case => ({ name, what: whatOf[name], floor: 'bytes', target: 0.75, requests: [pages[name]] }),
  ),
  { name: 'R*', what: '5,000 distinct pages', floor: 'bytes', target: 0.75, requests: manyPages },
  { name: 'I1', what: 'banner of 200 KB', floor: 'bytes', target: 0.8, requests: [get('/api/program/banner/get/7')] },
  ...readNames.map(
    (name): Case => ({
      name: `${name} cold`,
      what: whatOf[name],
      floor: 'sqlite',
      target: 0.9,
      cold: true,
      requests: [pages[name]],
    }),
  ),
  { name: 'W1', what: 'comment', floor: 'sqlite', target: 0.7, requests: times(2_000, comment) },
  {
    name: 'W1 slow',
    what: 'comment, where a sync takes 1 ms',
    floor: 'single',
    target: 5,
    slowDisk: true,
    requests: times(2_000, comment),
  },
  { name: 'W2', what: 'topic', floor: 'sqlite', target: 0.7, requests: times(2_000, topic) },
  { name: 'W3', what: 'feedback', floor: 'sqlite', target: 0.7, requests: times(2_000, feedback) },
  {
    name: 'M',
    what: '90 % R1, R3, R5 and 10 % W1',
    floor: 'sqlite',
    target: 5,
    requests: times(2_000, (nth) =>
      nth % 10 === 9
        ? comment()
        : ([pages.R1, get(`/api/newsfeeds/topics/${1 + int(10_000)}/details`), pages.R5][nth % 3] ?? pages.R1),
    ),
  },
  ...readNames.map(
    (name): Case => ({
      name: `${name} pg`,
      what: `${whatOf[name]}, on PostgreSQL`,
      floor: 'bytes',
      target: 0.6,
      onPostgres: true,
      requests: [pages[name]],
    }),
  ),
  ...readNames.map(
    (name): Case => ({
      name: `${name} cold pg`,
      what: `${whatOf[name]}, on PostgreSQL`,
      floor: 'pg',
      target: 0.8,
      cold: true,
      onPostgres: true,
      requests: [pages[name]],
    }),
  ),
]
