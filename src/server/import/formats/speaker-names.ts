import type { SourceSpeaker } from '../source.ts'
import { oneLine } from './clean.ts'

const title = /^(?:ph\.?d|dr|md|m\.?sc|b\.?sc|mba|jr|sr|prof|ii|iii|esq|cissp|mvp)\.?$/i

/**
 * The names in one cell. Semicolons, bars and line breaks always part them; commas do where that cannot break a name
 * apart: `Jane Doe, John Roe` are two, `Doe, Jane` and `Jane Doe, PhD` are one.
 */
export function splitNames(cell: string): string[] {
  const parts = splitList(cell)
  return parts.length > 1 ? parts : parts.flatMap(splitAtCommas)
}

const splitList = (cell: string) =>
  cell
    .split(/[;|\r\n]+/)
    .map(oneLine)
    .filter((part) => part !== '')

function splitAtCommas(names: string): string[] {
  const parts: string[] = []
  for (const part of names.split(',').map(oneLine).filter(Boolean)) {
    const last = parts.at(-1)
    if (last !== undefined && title.test(part)) parts[parts.length - 1] = `${last}, ${part}`
    else parts.push(part)
  }
  const isLastFirst = parts.length === 2 && parts[0] !== undefined && !parts[0].includes(' ')
  return isLastFirst ? [names] : parts
}

/**
 * Speakers out of the cells of a spreadsheet. Positions and companies belong to their speakers one by one where there are
 * as many of them, else to the first speaker.
 */
export function speakersOf(cells: { names: string[]; positions: string[]; companies: string[] }): SourceSpeaker[] {
  const names = cells.names.flatMap(splitNames)
  const positions = spread(cells.positions, names.length)
  const companies = spread(cells.companies, names.length)
  return names.map((name, index) => ({ name, position: positions[index] ?? '', company: companies[index] ?? '' }))
}

function spread(cells: string[], count: number): string[] {
  const parts = cells.flatMap(splitList)
  return parts.length === count ? parts : [cells.map(oneLine).join(', ')]
}
