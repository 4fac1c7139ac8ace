import { quote } from './clean.ts'
import type { SessionList } from './session-list.ts'
import { createTimestampReader, isUtc, type ReadTimestamp } from './wall-clock.ts'

export const utcWithoutZone = 'Times are in UTC but the file names no time zone; they were used unchanged.'

/**
 * Creates the timestamp reader for one file. Its conversions and assumptions are reported to the list.
 *
 * @param zone IANA name from the file, or `''`
 * @param line the line of the zone, or of the element that would have it
 */
export function createVenueClock(list: SessionList, zone: string, line: number): ReadTimestamp {
  const readUnchanged = createTimestampReader('')
  const read = zone.trim() === '' ? undefined : readerFor(zone.trim())
  if (read) {
    return (written) => {
      const wall = read(written)
      if (wall !== readUnchanged(written)) list.setReading(`Times in UTC were converted to ${zone.trim()}.`)
      return wall
    }
  }
  if (zone.trim() !== '') list.warn(line, `Unknown time zone ${quote(zone)}; times were used unchanged.`)
  return (written) => {
    if (isUtc(written)) list.warnOnce(line, utcWithoutZone)
    return readUnchanged(written)
  }
}

function readerFor(zone: string): ReadTimestamp | undefined {
  try {
    return createTimestampReader(zone)
  } catch {
    return undefined // RangeError: unknown zone
  }
}
