import type { Limits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import { isTimeZone } from '../../../config/formats.ts'
import { toOneLine, truncate } from '../../../core/clean-text.ts'
import { memoize } from '../../../core/memoize.ts'
import type { ParsedProgram, SourceConference, SourceRoom, SourceTrack } from '../source.ts'
import { formatDay, readIsoDate } from '../times/wall-clock.ts'
import { decodeReferences } from './session-titles.ts'
import { readColor, readId, readUrl, readUuid } from './source-values.ts'

/** What a file says beside its sessions. Values are as written; what is of no use is left out. */
export interface ProgramParts {
  /** Adds a room that the file describes. One of which it has only the name is that of a session. */
  addRoom(room: Pick<SourceRoom, 'name'> & Partial<Omit<SourceRoom, 'key'>> & { ids?: readonly string[] }): void
  /** Adds a track that the file describes. */
  addTrack(track: SourceTrack): void
  /** @param given its days may be timestamps */
  setConference(given: Partial<SourceConference>): void
}

/** Larger than any room. */
const maxCapacity = 1_000_000

/** Collects the conference, rooms and tracks of one file. */
export function createProgramParts(
  limits: Limits,
): ProgramParts & { finish(): Pick<ParsedProgram, 'conference' | 'rooms' | 'tracks'> } {
  const rooms = new Map<string, SourceRoom>()
  const keys = new Set<string>()
  const tracks = new Map<string, SourceTrack>()
  let conference: SourceConference | undefined

  /** As the names in sessions, so that they are the same. */
  const readLine = memoize((text: string | undefined) => truncate(toOneLine(decodeReferences(text ?? '')), limits.text))

  return {
    addRoom: ({ name: written, guid, ids = [], capacity = 0, description = '' }) => {
      const name = readLine(written)
      if (isBlank(name) || rooms.has(name)) return
      const key = readId(ids) ?? ''
      // What several rooms have identifies none but the first.
      const isFirst = key === '' || !keys.has(key)
      keys.add(key)
      rooms.set(name, {
        name,
        key: isFirst ? key : '',
        guid: isFirst ? readUuid(guid) : '',
        capacity: Number.isInteger(capacity) && capacity > 0 && capacity <= maxCapacity ? capacity : 0,
        description: truncate(toOneLine(description), limits.name),
      })
    },
    addTrack: ({ name: written, color }) => {
      const name = readLine(written)
      if (!isBlank(name) && !tracks.has(name)) tracks.set(name, { name, color: readColor(color) })
    },
    setConference: ({ title, acronym, url, timeZone = '', firstDay, lastDay, slotMinutes = 0 }) => {
      const found: SourceConference = {
        title: readLine(title),
        acronym: readLine(acronym),
        url: readUrl(url),
        timeZone: isTimeZone(timeZone) ? timeZone : '',
        firstDay: readDay(firstDay),
        lastDay: readDay(lastDay),
        slotMinutes: Number.isInteger(slotMinutes) && slotMinutes > 0 && slotMinutes < 24 * 60 ? slotMinutes : 0,
      }
      if (Object.values(found).some(Boolean)) conference = found
    },
    finish: () => ({
      ...(conference && { conference }),
      rooms: [...rooms.values()],
      tracks: [...tracks.values()],
    }),
  }
}

/** The day of a date or timestamp, `YYYY-MM-DD`; `''` if the text begins with none. */
const readDay = (text = ''): string => {
  const day = readIsoDate(text.trim().slice(0, 10))
  return day === undefined ? '' : formatDay(day)
}
