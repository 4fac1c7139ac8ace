export type SummitDay = 0 | 1 | 2

/** The date, YYYY-MM-DD, of a day of the summit. */
export type Calendar = (day: SummitDay) => string

/** The start of the sample, HH:MM in venue time; minutes in the news feed count from here. */
export const doorsOpen = '08:00'

/** @throws RangeError if firstDay is not a date. */
export function calendar(firstDay: string): Calendar {
  return (day) => {
    // In UTC every day has 24 hours, so no clock change can skip one.
    const date = new Date(`${firstDay}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() + day)
    return date.toISOString().slice(0, 10)
  }
}

/** Minutes from the opening of the doors to HH:MM on a day of the summit. */
export function minutesAfterStart(day: SummitDay, time: string): number {
  return day * 24 * 60 + minuteOfDay(time) - minuteOfDay(doorsOpen)
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
