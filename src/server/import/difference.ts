import { quoted } from './formats/clean.ts'

/** One difference in a plan, with what is there and what is to be: `room “Hall” → “Garden”`. */
export const difference = (name: string, from: string | null, to: string): string =>
  `${name} ${shown(from ?? '')} → ${shown(to)}`

const shown = (value: string): string => (value === '' ? 'none' : quoted(value))
