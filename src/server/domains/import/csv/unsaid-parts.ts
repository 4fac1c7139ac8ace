import type { SessionPart, SourceSession } from '../source.ts'
import type { CsvTable } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'

/** The columns of each part of a session, and whether a session has it without one: an end may be beside its start. */
const parts: Record<SessionPart, [fields: readonly ProgramField[], hasWithout?: (session: SourceSession) => boolean]> =
  {
    title: [['title', 'sessionTitle']],
    subtitle: [['subtitle']],
    startsAt: [['start', 'day']],
    endsAt: [['end', 'endDay', 'duration'], ({ startsAt, endsAt }) => startsAt !== endsAt],
    day: [['day'], ({ day, startsAt }) => !startsAt.startsWith(day)],
    room: [['room']],
    track: [['track']],
    type: [['type']],
    license: [['license']],
    language: [['language']],
    // A list in JSON may have several tracks or types, which are tags.
    tags: [['tags'], ({ tags }) => tags.length > 0],
    code: [['code']],
    slug: [['slug']],
    doNotRecord: [['doNotRecord']],
    description: [['abstract'], ({ description }) => description !== ''],
    details: [['long']],
    cancelled: [['status', 'cancelled', 'active']],
    speakers: [['speaker', 'firstName', 'lastName']],
    position: [['position']],
    company: [['company']],
    page: [['link']],
    origin: [['origin']],
    feedback: [['feedback']],
    stream: [['stream']],
    recording: [['recording']],
    attachment: [['attachment']],
    related: [['related']],
  }

/** The parts of which a table says nothing: it has no column for them. */
export const partsWithoutColumn = (
  { columns }: CsvTable<ProgramField>,
  sessions: readonly SourceSession[],
): ReadonlySet<SessionPart> =>
  new Set(
    (Object.keys(parts) as SessionPart[]).filter((part) => {
      const [fields, hasWithout] = parts[part]
      return !fields.some((field) => columns.has(field)) && !(hasWithout && sessions.some(hasWithout))
    }),
  )
