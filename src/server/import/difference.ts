import { quote } from './formats/clean.ts'

/** Formats one difference of a plan with the stored and the new value: `room “Hall” → “Garden”`. */
export const formatDifference = (name: string, from: string | null, to: string): string =>
  `${name} ${formatValue(from ?? '')} → ${formatValue(to)}`

const formatValue = (value: string): string => (value === '' ? 'none' : quote(value))
