import type { scenes } from './pictures.ts'

// The types of the sample summit, which is data only: `load.ts` stores it.

/** An index in `people`. */
export type PersonIndex = number

export type SceneName = keyof typeof scenes

export type Gender = 'M' | 'F' | 'X' | ''

export interface Person {
  first_name: string
  last_name: string
  /** "Position, Company". */
  designation: string
  employee_no: string
  email: string
  mobile_no: string
  gender: Gender
  /** null for somebody who has not sent a photo. */
  portrait: URL | null
}

export interface SampleRoom {
  name: string
  /** null for a place outside. */
  building: string | null
  address: string
  /** 0 if it has none. */
  capacity: number
  description: string
}

export interface SampleTrack {
  name: string
  /** `#rrggbb`, on which white or dark text can be read. */
  color: string
}

export interface SampleLink {
  title: string
  url: string
}

export interface SampleSpeaker {
  name: string
  position: string
  company: string
  /** Plain text. */
  biography: string
  links: SampleLink[]
}

export interface SampleSession {
  title: string
  subtitle?: string
  /** HH:MM at the venue; from 24:00 after the midnight that ends the day. Absent if it is not scheduled. */
  from?: string
  to?: string
  room: SampleRoom | null
  type: 'Keynote' | 'Talk' | 'Panel' | 'Workshop' | 'Social' | 'Break'
  track?: SampleTrack
  speakers?: SampleSpeaker[]
  banner?: SceneName
  /** English unless given. */
  language?: string
  tags?: string[]
  links?: (SampleLink & { rel: string })[]
  do_not_record?: 1
  /** HTML fragment. */
  description: string
  /** HTML fragment, or ''. */
  details: string
  /** Its own programme. */
  parts?: { title: string; time: string }[]
  /** Where it takes place after the release. */
  movesTo?: SampleRoom
  /** After the release. */
  isCancelled?: true
}

export interface SampleEvent extends SampleSession {
  /** Of the summit, 0 for the first; null if it is not scheduled. */
  day: number | null
}

/** When something was posted: at a time of the first day, or so many minutes before the first start. */
export type Posted = { firstDay: string } | { minutesAgo: number }

export type SampleFile = { name: string; picture: SceneName } | { name: string; text: string }

export interface SampleComment {
  by: PersonIndex
  comment: string
  /** Minutes after the topic was posted. */
  minutesAfter: number
  files?: SampleFile[]
}

export interface SampleTopic {
  by: PersonIndex
  header: string
  body: string
  posted: Posted
  files?: SampleFile[]
  /** Oldest like first, without duplicates. */
  likes: PersonIndex[]
  comments: SampleComment[]
}

export type Score = '1' | '2' | '3' | '4' | '5' | ''

export interface SampleFeedback {
  by: PersonIndex | null
  /** The title of a session; null for feedback on the summit as a whole. */
  event: string | null
  quality: Score
  rating: Score
  relevance: Score
  expectation: Score
  comments: string | null
}
