import type { SafeHtml } from '../program/html.ts'

/** A row of a source that cannot be used, or that was used with a reservation. */
export interface Remark {
  /** 1-based line in the file. */
  line: number
  /** A plain sentence for an organizer: what is wrong, and what became of the row. */
  reason: string
}

export interface SourceSpeaker {
  name: string
  /** Job title, or `''`. */
  position: string
  /** Employer or organisation, or `''`. */
  company: string
}

/** One session as a program file states it, cleaned but not yet compared with what is stored. */
export interface SourceSession {
  /** Identity in its source: guid where there is one, else code or id, else title and first speaker. At most 255 characters. */
  key: string
  /** 1-based line at which it starts. */
  line: number
  /** One line, from 1 character to the limit `name`. */
  title: string
  /** Their names joined are at most as many characters as the limit `text`; so are positions, and companies. */
  speakers: SourceSpeaker[]
  /** One line, at most as many characters as the limit `text`, or `''`. */
  room: string
  /** Conference day `YYYY-MM-DD` as the source says; what starts after midnight may belong to the day before. */
  day: string
  /** `YYYY-MM-DD HH:MM:SS`, wall clock of the venue. */
  startsAt: string
  /** As `startsAt`, never before it; equal to it when the source gives neither end nor duration. */
  endsAt: string
  /** Subtitle and abstract, or `''`. */
  description: SafeHtml
  /** The long description, or `''`. */
  details: SafeHtml
  cancelled: boolean
}

export interface ParsedProgram {
  /** The format as people call it, for example `frab schedule.xml`; `unknown` when it is none of ours. */
  format: string
  sessions: SourceSession[]
  problems: Remark[]
}

export type ParticipantField =
  | 'employee_no'
  | 'designation'
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'photo'
  | 'mobile_no'
  | 'gender'

export interface SourceParticipant {
  line: number
  /** The e-mail address in lower case, else the employee number. */
  key: string
  /** Only what the row states: an empty cell is absent, so that it never clears what is stored. */
  values: Partial<Record<ParticipantField, string>>
}

export interface ParsedParticipants {
  participants: SourceParticipant[]
  problems: Remark[]
}
