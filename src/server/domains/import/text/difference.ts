import { toOneLine } from './clean.ts'

/** Formats one difference of a plan with the stored and the new value: `room “Hall” → “Garden”`. */
export const formatDifference = (name: string, from: string | null, to: string): string =>
  `${name} ${formatValue(from ?? '')} → ${formatValue(to)}`

/** In full: long values may differ at the end only. */
const formatValue = (value: string): string => (value === '' ? 'none' : `“${toOneLine(value)}”`)
