import { quote } from './clean.ts'
import type { ReadingOptions } from './reading-options.ts'
import type { SessionList } from './session-list.ts'
import { createTimestampReader, isUtc, type ReadTimestamp } from './wall-clock.ts'

export const utcWithoutZone = 'Times are in UTC but the file names no time zone; they were used unchanged.'

/** The time zone of the venue, by which clocks change. */
export interface VenueZone {
  /** IANA name of a zone that exists. */
  name: string
  /** Whether it is the zone of the settings, because the file names none. */
  isAssumed: boolean
}

/** How the times of one file are read. */
export interface Venue {
  read: ReadTimestamp
  zone: VenueZone | undefined
}

/** @param zone IANA name from the file, or `''` @param line as for `createVenueClock` */
export const createVenue = (list: SessionList, zone: string, line: number, options: ReadingOptions): Venue => ({
  read: createVenueClock(list, zone, line),
  zone: readerFor(zone.trim()) ? { name: zone.trim(), isAssumed: false } : assumedZone(options),
})

/** The zone of the settings. */
export const assumedZone = ({ timeZone = '' }: ReadingOptions): VenueZone | undefined =>
  readerFor(timeZone) && { name: timeZone, isAssumed: true }

/**
 * Creates the timestamp reader for one file. Its conversions and assumptions are reported to the list.
 *
 * @param zone IANA name from the file, or `''`
 * @param line the line of the zone, or of the element that would have it
 */
export function createVenueClock(list: SessionList, zone: string, line: number): ReadTimestamp {
  const readUnchanged = createTimestampReader('')
  const read = readerFor(zone.trim())
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

/** @returns `undefined` if the zone is blank or unknown */
function readerFor(zone: string): ReadTimestamp | undefined {
  if (zone === '') return undefined
  try {
    return createTimestampReader(zone)
  } catch {
    return undefined // RangeError: unknown zone
  }
}
