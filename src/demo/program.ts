import { calendar } from './calendar.ts'
import { firstDaySessions } from './sessions-1.ts'
import { secondDaySessions } from './sessions-2.ts'
import { thirdDaySessions } from './sessions-3.ts'
import type { SampleEvent } from './shapes.ts'
import { tracks } from './tracks.ts'

/**
 * The program of a summit that starts on firstDay, YYYY-MM-DD.
 * @throws RangeError if firstDay is not a date.
 */
export function events(firstDay: string): SampleEvent[] {
  const day = calendar(firstDay)
  return [...tracks(day), ...firstDaySessions(day), ...secondDaySessions(day), ...thirdDaySessions(day)]
}
