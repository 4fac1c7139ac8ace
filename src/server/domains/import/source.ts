import type { ParticipantId } from '../../core/ids.ts'
import type { SafeHtml } from '../program/html.ts'
import type { ProgramFormat } from './program-formats.ts'

/** A row that was skipped, or that was used after a change or an assumption. */
export interface ImportWarning {
  /** 1-based line in the file. */
  line: number
  /** A sentence for the organizer: the problem, and how it was handled. */
  message: string
  /**
   * `skipped` if something of the file is missing after the import; `unused` if the file has more than an import reads.
   */
  weight?: 'skipped' | 'unused' | undefined
}

export interface SourceSpeaker {
  name: string
  /** Job title, or `''`. */
  position: string
  /** Employer or organisation, or `''`. */
  company: string
}

/** One session of a program file, cleaned but not yet compared with the stored events. */
export interface SourceSession {
  /**
   * Identifies the session within its source: guid, else code or id; `''` if the file has none. At most 255 characters.
   */
  key: string
  /** 1-based line on which the session starts. */
  line: number
  /** One line of 1 to `limits.name` characters. */
  title: string
  /** The joined names have at most `limits.text` characters; so have the joined positions and companies. */
  speakers: SourceSpeaker[]
  /** One line of at most `limits.text` characters, or `''`. */
  room: string
  /** Conference day `YYYY-MM-DD` from the source; a session after midnight may belong to the day before. */
  day: string
  /** `YYYY-MM-DD HH:MM:SS`, local time at the venue. */
  startsAt: string
  /** Same format; never before `startsAt`, and equal to it when the source gives neither end nor duration. */
  endsAt: string
  /** Subtitle and abstract, or `''`. */
  description: SafeHtml
  /** The long description, or `''`. */
  details: SafeHtml
  cancelled: boolean
}

export interface ParsedProgram {
  /** `XML` or `JSON` for a file that is not valid, `unknown` for any other that is not supported. */
  format: ProgramFormat | 'XML' | 'JSON' | 'unknown'
  sessions: SourceSession[]
  warnings: ImportWarning[]
  /** How dates or times that can be read in several ways were read, as a sentence; absent if there are none. */
  dateReading?: string
}

/** The columns of a participant that an import may change. */
export const participantFields = [
  'employee_no',
  'designation',
  'email',
  'first_name',
  'last_name',
  'photo',
  'mobile_no',
  'gender',
] as const

export type ParticipantField = (typeof participantFields)[number]

export interface SourceParticipant {
  line: number
  /** The id in an export of participants; other files have none. */
  id?: ParticipantId
  /** The e-mail address in lower case, else the employee number, else the id. */
  key: string
  /** Non-empty cells only, so that an empty cell never clears a stored value; all cells of an export. */
  values: Partial<Record<ParticipantField, string>>
}

export interface ParsedParticipants {
  participants: SourceParticipant[]
  warnings: ImportWarning[]
}
