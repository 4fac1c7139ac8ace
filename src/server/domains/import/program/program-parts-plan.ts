import type { Db } from '../../../storage/db/tables.ts'
import { describeRecordChanges } from '../../program/record-differences.ts'
import {
  listRecords,
  type NewProgramRecord,
  type ProgramRecord,
  type ProgramRecordKind,
  type ProgramRecordValues,
} from '../../program/records.ts'
import type { ParsedProgram, SourceSession } from '../source.ts'

// What an import makes of rooms, tracks, speakers and the conference.

/** The stored records of each kind. */
export type StoredParts = { [K in ProgramRecordKind]: ProgramRecord<K>[] }

export const noParts: StoredParts = { conference: [], room: [], track: [], speaker: [] }

export const loadParts = async (db: Db): Promise<StoredParts> => ({
  conference: await listRecords(db, 'conference'),
  room: await listRecords(db, 'room'),
  track: await listRecords(db, 'track'),
  speaker: await listRecords(db, 'speaker'),
})

/** What an import makes of a record. */
export interface PlannedPart<K extends ProgramRecordKind = ProgramRecordKind> {
  kind: K
  /** The stored record; a new one has an id once it is written. */
  id: number | undefined
  change: 'new' | 'changed' | 'unchanged'
  /** Every value of it, after the import. */
  values: NewProgramRecord<K>
  /** Those that change in a stored record. */
  changes?: ProgramRecordValues<K>
  /** In the organizer's words. */
  differences: string[]
}

/** A session with what it refers to. */
export interface ResolvedSession extends SourceSession {
  inRoom: PlannedPart<'room'> | undefined
  inTrack: PlannedPart<'track'> | undefined
  people: PlannedPart<'speaker'>[]
}

export interface PartsPlan {
  sessions: ResolvedSession[]
  /** In the order in which they are written. */
  parts: PlannedPart[]
  /** What is stored, by id, as it is after the import. */
  stored: { [K in 'room' | 'track' | 'speaker']: ReadonlyMap<number, PlannedPart<K>> }
  /** Those that are written only if a session refers to them after all. */
  onlyNamed: ReadonlySet<PlannedPart>
  /** What the file says of the conference, where it does not count since sessions of other programs take place, too. */
  conferenceDifferences: string[]
}

/** The part of a file that this is about. */
export type ProgramFile = Pick<ParsedProgram, 'sessions' | 'rooms' | 'tracks' | 'conference'>

/** @param row the stored record; undefined for a new one */
export function planPart<K extends ProgramRecordKind>(
  kind: K,
  row: { id: number } | undefined,
  before: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): PlannedPart<K> {
  const columns = Object.keys(given).filter((column) => given[column] !== before[column])
  const change = row === undefined ? 'new' : columns.length > 0 ? 'changed' : 'unchanged'
  const changes = Object.fromEntries(columns.map((column) => [column, given[column]])) as ProgramRecordValues<K>
  return {
    ...{ kind, id: row?.id, change, values: { ...before, ...given } as NewProgramRecord<K> },
    ...(row && { changes }),
    differences: describeRecordChanges(before, given, columns),
  }
}
