/**
 * The supported formats of program files by their usual names, each as messages and help describe it. JSON files are
 * compared with the formats in this order.
 */
export const programFormats = {
  'frab schedule.xml': 'a Pentabarf, frab, voc or pretalx schedule.xml',
  'frab schedule.json': 'a frab, voc or pretalx schedule.json',
  'day grid derived from pretalx (JSON)': 'a day grid derived from pretalx as JSON',
  'Sessionize JSON': 'Sessionize JSON',
  'pretalx talks (JSON)': 'pretalx talks as JSON',
  'pretalx schedule (JSON)': 'a pretalx schedule as JSON',
  'JSON list': 'a list of objects as JSON with at least a title and a start',
  iCalendar: 'iCalendar',
  CSV: 'CSV or an Excel workbook (.xlsx) with at least a title and a start column',
} as const

export type ProgramFormat = keyof typeof programFormats

export const supportedFormats = Object.values(programFormats)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ', or ')
