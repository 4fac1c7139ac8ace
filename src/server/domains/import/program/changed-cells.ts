import { isDeepStrictEqual } from 'node:util'
import type { Limits } from '../../../../contract/limits.ts'
import type { Scope } from '../../../scope.ts'
import { readProgram } from '../../program-export/program.ts'
import { writeSessionsCsv } from '../../program-export/sessions-csv.ts'
import { parseProgram } from '../formats/detect.ts'
import { isExported, linkRelations, type ParsedProgram, type SessionPart, type SourceSession } from '../source.ts'

const parts = [
  ...(['title', 'subtitle', 'startsAt', 'room', 'track', 'type', 'license', 'language', 'tags'] as const),
  ...(['code', 'slug', 'doNotRecord', 'description', 'details', 'cancelled', 'speakers'] as const),
] satisfies SessionPart[]

/**
 * Finds what was changed in Summit's own spreadsheet. Cells that say the same as the spreadsheet of the program as it is say
 * nothing, so that whatever a cell cannot show stays in the stored event. Any other file is returned as it is.
 */
export const keepChangedCells = async (scope: Scope, file: ParsedProgram): Promise<ParsedProgram> =>
  file.sessions.some(isExported)
    ? compareWithSpreadsheet(file, writeSessionsCsv(await readProgram(scope)), scope.limits)
    : file

/** @param spreadsheet of the program as it is */
export function compareWithSpreadsheet(file: ParsedProgram, spreadsheet: string, limits: Limits): ParsedProgram {
  const { sessions } = parseProgram(spreadsheet, 'sessions.csv', limits)
  const stored = new Map(sessions.map((session) => [session.guid, session]))
  return { ...file, sessions: file.sessions.map((session) => compareCells(session, stored.get(session.guid))) }
}

function compareCells(session: SourceSession, stored: SourceSession | undefined): SourceSession {
  if (!stored) return session
  const linksOf = ({ links }: SourceSession, relation: string) => links.filter(({ rel }) => rel === relation)
  const hasStart = session.startsAt === stored.startsAt
  // Beside another start, both say when the session takes place.
  const times = (['endsAt', 'day'] as const).filter((part) => hasStart && session[part] === stored[part])
  const unsaid = new Set<SessionPart>([
    ...(session.unsaid ?? []),
    ...parts.filter((part) => isDeepStrictEqual(session[part], stored[part])),
    ...linkRelations.filter((relation) => isDeepStrictEqual(linksOf(session, relation), linksOf(stored, relation))),
    ...times,
  ])
  const { shownAt = 0 } = session
  // The stored time may be an earlier one, since an undo restores it.
  return { ...session, unsaid, isStale: shownAt !== 0 && shownAt !== stored.shownAt }
}
