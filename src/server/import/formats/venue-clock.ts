import { quoted } from './clean.ts'
import type { SessionList } from './session-list.ts'
import { isUtc, type ReadTimestamp, timestampReader } from './wall-clock.ts'

/**
 * The timestamp reader of one file, which tells the list what it had to assume.
 *
 * @param zone IANA name as the file gives it, or `''`
 * @param line where the file gives it, or would
 */
export function venueClock(list: SessionList, zone: string, line: number): ReadTimestamp {
  const read = zone.trim() === '' ? undefined : readerFor(zone.trim())
  if (read) return read
  if (zone.trim() !== '') list.problem(line, `The time zone ${quoted(zone)} is not known; times were taken as written.`)
  const readAsWritten = timestampReader('')
  return (written) => {
    if (isUtc(written)) list.once(line, 'The file gives times in UTC but no time zone; they were taken as written.')
    return readAsWritten(written)
  }
}

function readerFor(zone: string): ReadTimestamp | undefined {
  try {
    return timestampReader(zone)
  } catch {
    return undefined // RangeError: no such zone
  }
}
