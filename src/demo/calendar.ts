/**
 * The date, YYYY-MM-DD, of a day of the summit.
 * @param firstDay YYYY-MM-DD
 * @throws RangeError if it is not a date
 */
export function dateOf(firstDay: string, day: number): string {
  // In UTC every day has 24 hours, so no clock change can skip one.
  const date = new Date(`${firstDay}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + day)
  return date.toISOString().slice(0, 10)
}

/**
 * YYYY-MM-DD HH:MM:SS at the venue.
 * @param time HH:MM of a day of the summit; from 24:00 after the midnight that ends it
 */
export function timeOf(firstDay: string, day: number, time: string): string {
  const hour = Number(time.slice(0, 2))
  const date = dateOf(firstDay, day + Math.floor(hour / 24))
  return `${date} ${String(hour % 24).padStart(2, '0')}${time.slice(2)}:00`
}
