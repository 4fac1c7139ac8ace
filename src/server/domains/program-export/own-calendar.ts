import { privateNoCache } from '../../core/cache-control.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { ByteResponse } from '../../operation.ts'
import type { PersonalScope } from '../../scope.ts'
import { listStars } from '../stars/stars.ts'
import { calendarType, type ReadCurrentProgram, toResponse, writeCalendar } from './export-program.ts'

interface OwnCalendarOptions {
  freshness: Freshness
  readCurrent: ReadCurrentProgram
}

/**
 * Creates the reader of a calendar with what the sender has starred. It is written for each request.
 * @returns throws Failure PARTICIPANT_NOT_FOUND for an organizer who is no participant
 */
export const createOwnCalendar =
  ({ freshness, readCurrent }: OwnCalendarOptions) =>
  async (scope: PersonalScope): Promise<ByteResponse> => {
    const { stars } = await listStars(scope)
    const { value: program } = await readCurrent(scope, await freshness.refresh(), scope.links.base)
    const starred = new Set(stars.map(({ event_id }) => event_id))
    const events = program.events.filter(({ id }) => starred.has(id))
    const bytes = Buffer.from(await writeCalendar(program, events, 'My sessions'))
    return toResponse('calendar.ics', calendarType, privateNoCache, bytes)
  }
