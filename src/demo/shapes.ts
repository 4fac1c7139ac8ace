// The types of the sample summit, which is data only: `load.ts` draws the pictures and stores the rows.

/** An index in `people`. */
export type PersonIndex = number

/** An index in the result of `events()`. */
export type EventIndex = number

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
}

export interface Activity {
  title: string
  /** HH:MM:SS in venue time. */
  time: string
}

export interface ProgramDay {
  /** YYYY-MM-DD. */
  date: string
  activities: Activity[]
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

export interface SampleEvent {
  title: string
  subtitle?: string
  /** YYYY-MM-DD HH:MM:SS in venue time, null if not scheduled. */
  date_from: string | null
  date_to: string | null
  /** YYYY-MM-DD, the day of the program to which a session after midnight belongs. */
  program_date?: string
  room: SampleRoom | null
  type?: 'keynote' | 'talk' | 'panel' | 'workshop' | 'social'
  track?: SampleTrack
  speakers?: SampleSpeaker[]
  /** English unless given. */
  language?: string
  tags?: string[]
  links?: (SampleLink & { rel: string })[]
  do_not_record?: 1
  /** HTML fragment. */
  description: string
  /** HTML fragment. */
  details: string
  program?: ProgramDay[]
  /** The room in which it was before, and when it was moved, in minutes after the doors open on the first day. */
  moved?: { from: SampleRoom; at: number }
  /** In minutes after the doors open on the first day. */
  cancelledAt?: number
}

export interface SampleFile {
  name: string
  /** A picture shows `title`, in the format of the extension of `name`; a text file contains `text`. */
  kind: 'picture' | 'text'
  title?: string
  text?: string
}

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
  /** Minutes after the doors open on the first day, see `doorsOpen`. */
  minutesAfterStart: number
  files?: SampleFile[]
  /** Oldest like first, without duplicates. */
  likes: PersonIndex[]
  comments: SampleComment[]
}

export type Score = '1' | '2' | '3' | '4' | '5' | ''

export interface SampleFeedback {
  by: PersonIndex | null
  /** null for feedback on the summit as a whole. */
  event: EventIndex | null
  quality: Score
  rating: Score
  relevance: Score
  expectation: Score
  comments: string | null
}
