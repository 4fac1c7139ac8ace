import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from './detect.ts'

/** Parses a calendar with these lines. */
export const parseCalendar = (...lines: string[]) =>
  parseProgram(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'), 'a.ics', defaultLimits)

/** The lines of an event. */
export const event = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'SUMMARY:Yoga',
  ...lines,
  'END:VEVENT',
]
