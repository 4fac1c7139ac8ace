/**
 * The supported formats of program files by their usual names, each as messages and help describe it. JSON files are
 * compared with the formats in this order.
 */
export const programFormats = {
  'frab schedule.xml': 'a frab, voc or pretalx schedule.xml',
  'frab schedule.json': 'a frab, voc or pretalx schedule.json',
  'day grid derived from pretalx (JSON)': 'a day grid derived from pretalx as JSON',
  'Sessionize JSON': 'Sessionize JSON',
  'pretalx talks (JSON)': 'pretalx talks as JSON',
  CSV: 'CSV with at least a title and a start column',
} as const

export type ProgramFormat = keyof typeof programFormats

export const supportedFormats = Object.values(programFormats)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ', or ')
