// The shapes of the sample summit. It is data only: whoever loads it draws the pictures and stores the rows.

/** A position in `people`. */
export type PersonIndex = number

/** A position in what `events()` returns. */
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
  /** HH:MM:SS on the clock at the venue. */
  time: string
}

export interface ProgramDay {
  /** YYYY-MM-DD. */
  date: string
  activities: Activity[]
}

export interface SampleEvent {
  title: string
  /** YYYY-MM-DD HH:MM:SS on the clock at the venue, null while not scheduled. */
  date_from: string | null
  date_to: string | null
  location: { name: string; address: string }
  venue: string
  /** Full names, several joined by a comma and a space. */
  speaker: string
  position: string
  company: string
  /** HTML fragment. */
  description: string
  /** HTML fragment. */
  details: string
  program: ProgramDay[]
}

export interface SampleFile {
  name: string
  /** The loader draws a picture with `title` on it, in the format its name ends with; a text file contains `text`. */
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
  /** Oldest like first, nobody twice. */
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
