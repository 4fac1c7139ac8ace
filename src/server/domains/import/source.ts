import type { ParticipantId } from '../../core/ids.ts'
import type { ParticipantField } from '../participants/participant-differences.ts'
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

/** Values of a file that an import does not use. */
export interface UnusedValues {
  /** As shown: a heading in quotation marks, or a member with what it belongs to, such as `event.logo`. */
  name: string
  /** How many are not empty. */
  count: number
  /** Why they are not used, as a clause; undefined if Summit has no place for them. */
  reason?: string | undefined
}

/** A link to a page elsewhere. */
export interface SourceLink {
  title: string
  /** http(s) URL */
  url: string
}

/**
 * What a link is to its session, in the words of all formats: its `page` in the published program, its `origin` in the
 * system where it was submitted, a form for `feedback`, a live `stream`, a `recording`, an `attachment` such as slides; any
 * other page is `related`.
 */
export const linkRelations = [
  ...(['page', 'origin', 'feedback', 'stream', 'recording', 'attachment', 'related'] as const),
] as const

export type LinkRelation = (typeof linkRelations)[number]

/** A person, as one session of a file names them; `''` for what the file lacks. */
export interface SourceSpeaker {
  name: string
  /** Job title. */
  position: string
  /** Employer or organisation. */
  company: string
  /** Identifies the person within the source: guid, else code or id. */
  key: string
  /** A UUID in lower case. */
  guid: string
  biography: SafeHtml
  /** http(s) URL */
  photo: string
  links: SourceLink[]
}

/** A room, as far as the file says more than its name. */
export interface SourceRoom {
  /** As in sessions. */
  name: string
  /** Identifies the room within the source, or `''`. */
  key: string
  /** A UUID in lower case, or `''`. */
  guid: string
  /** 0 if unknown. */
  capacity: number
  description: string
}

/** A track, as far as the file says more than its name. */
export interface SourceTrack {
  /** As in sessions. */
  name: string
  /** `#rrggbb`, or `''`. */
  color: string
}

/** The conference, as far as the file says something of it; `''` and 0 for what it lacks. */
export interface SourceConference {
  title: string
  acronym: string
  /** http(s) URL */
  url: string
  /** The IANA name. */
  timeZone: string
  /** `YYYY-MM-DD` */
  firstDay: string
  lastDay: string
  slotMinutes: number
}

/** A part of a session of which a file may say nothing; links are said by their relation, and the last two of speakers. */
export type SessionPart =
  | Exclude<keyof SourceSession, 'key' | 'line' | 'guid' | 'links' | 'shownAt' | 'isStale' | 'unsaid'>
  | LinkRelation
  | ('position' | 'company')

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
  /** One line of at most `limits.name` characters, or `''`. */
  subtitle: string
  /** Each name, position and company has at most `limits.text` characters. */
  speakers: SourceSpeaker[]
  /** One line of at most `limits.text` characters, or `''`; so are the next three. */
  room: string
  track: string
  type: string
  license: string
  /** A language tag such as `en` or `de-CH` (BCP 47), or several: `de, en`; or `''`. */
  language: string
  tags: string[]
  /** Each URL once. */
  links: (SourceLink & { rel: LinkRelation })[]
  /** A UUID in lower case, or `''`. */
  guid: string
  /** Short names of the source, for its own URLs and other tools, or `''`. */
  code: string
  slug: string
  doNotRecord: boolean
  /** Conference day `YYYY-MM-DD` from the source; a session after midnight may belong to the day before. */
  day: string
  /** `YYYY-MM-DD HH:MM:SS`, local time at the venue. */
  startsAt: string
  /** Same format; never before `startsAt`, and equal to it when the source gives neither end nor duration. */
  endsAt: string
  /** The abstract, or `''`. */
  description: SafeHtml
  /** The long description, or `''`. */
  details: SafeHtml
  cancelled: boolean
  /**
   * In Summit's own spreadsheet, where `guid` is that of the stored event: when the row that it shows was last changed, in
   * milliseconds since 1970, without those of the second; 0 if it does not say.
   */
  shownAt?: number
  /** Whether the stored event was changed since. */
  isStale?: boolean
  /** What stays as it is in the stored event; a new one has the values above. */
  unsaid?: ReadonlySet<SessionPart>
}

/** Whether it is a row of Summit's own spreadsheet. */
export const isExported = ({ shownAt }: SourceSession): boolean => shownAt !== undefined

export interface ParsedProgram {
  /**
   * `XML` or `JSON` for a file that is not valid, `unknown` for any other that is not supported. A workbook is read like CSV.
   */
  format: ProgramFormat | 'Excel workbook' | 'XML' | 'JSON' | 'unknown'
  sessions: SourceSession[]
  /** What the file says of the conference; absent if nothing. */
  conference?: SourceConference
  /** In the order of the file; without those of which it has only the name. */
  rooms: SourceRoom[]
  tracks: SourceTrack[]
  warnings: ImportWarning[]
  /** What else the file has, the most frequent first. */
  unused: UnusedValues[]
  /** How dates or times that can be read in several ways were read, as a sentence; absent if there are none. */
  dateReading?: string
}

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
  /** What else the file has, the most frequent first. */
  unused: UnusedValues[]
}
