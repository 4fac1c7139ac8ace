import { isTimeZone } from '../../../config/formats.ts'
import { quote } from '../../../core/clean-text.ts'
import { createTimestampReader, isUtc, type ReadTimestamp } from '../times/wall-clock.ts'
import type { ReadingOptions } from './reading-options.ts'
import type { SessionList } from './session-list.ts'

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

/**
 * Creates the reader of times for one file. Its conversions and assumptions are reported to the list.
 *
 * @param zone IANA name from the file, or `''`
 * @param line the line of the zone, or of the element that would have it
 */
export function createVenue(list: SessionList, zone: string, line: number, options: ReadingOptions): Venue {
  const name = zone.trim()
  const readUnchanged = createTimestampReader('')
  const readConverted = isTimeZone(name) ? createTimestampReader(name) : undefined
  if (readConverted) {
    const read = (written: string) => {
      const wall = readConverted(written)
      if (wall !== readUnchanged(written)) list.setReading(`Times in UTC were converted to ${name}.`)
      return wall
    }
    return { read, zone: { name, isAssumed: false } }
  }
  if (name !== '') list.warn(line, `Unknown time zone ${quote(zone)}; times were used unchanged.`)
  const read = (written: string) => {
    if (isUtc(written)) list.warnOnce(line, utcWithoutZone)
    return readUnchanged(written)
  }
  return { read, zone: assumedZone(options) }
}

/** The zone of the settings; UTC, their default, says nothing about the venue. */
export const assumedZone = ({ timeZone = 'UTC' }: ReadingOptions): VenueZone | undefined =>
  timeZone === 'UTC' ? undefined : { name: timeZone, isAssumed: true }
