import { quote, toOneLine } from '../../../core/clean-text.ts'
import { fold } from '../../../core/folded-text.ts'
import type { ImportWarning, SourceLink, SourceSession } from '../source.ts'
import { decodeReferences } from './session-titles.ts'

/** A speaker as read from a file, before any checks; the biography is HTML, Markdown or plain text. */
export interface RawSpeaker {
  name: string
  position: string
  company: string
  /** The preferred id first; blank ones are ignored. */
  ids?: readonly string[]
  guid?: string
  biography?: string
  photo?: string
  links?: readonly SourceLink[]
}

/** Titles and suffixes that may follow a name after a comma. */
export const titleOrSuffix = /^(?:ph\.?d|dr|md|m\.?sc|b\.?sc|mba|jr|sr|prof|ii|iii|esq|cissp|mvp)\.?$/i

/**
 * Splits a cell into names. Semicolons, bars and line breaks always separate names. Commas do only where they cannot be
 * part of a name: `Jane Doe, John Roe` are two names, `Doe, Jane` and `Jane Doe, PhD` are one.
 */
export function splitNames(cell: string): string[] {
  const parts = splitList(cell)
  return parts.length > 1 ? parts : parts.flatMap(splitAtCommas)
}

// A reference such as `&ouml;` has a semicolon.
const splitList = (cell: string) =>
  decodeReferences(cell)
    .split(/[;|\r\n]+/)
    .map(toOneLine)
    .filter((part) => part !== '')

function splitAtCommas(names: string): string[] {
  const parts: string[] = []
  for (const part of names.split(',').map(toOneLine).filter(Boolean)) {
    const last = parts.at(-1)
    if (last !== undefined && titleOrSuffix.test(part)) parts[parts.length - 1] = `${last}, ${part}`
    else parts.push(part)
  }
  const isLastFirst = parts.length === 2 && parts[0] !== undefined && !parts[0].includes(' ')
  return isLastFirst ? [names] : parts
}

/**
 * Reads the speakers of a spreadsheet row. Positions, companies, biographies and photos are assigned one by one if there
 * are as many as speakers, else left out: nobody gets those of another. A single speaker has all of them.
 */
export function readSpeakers({
  biographies = [],
  photos = [],
  ...cells
}: {
  names: string[]
  positions: string[]
  companies: string[]
  biographies?: string[]
  photos?: string[]
}): RawSpeaker[] {
  const names = cells.names.flatMap(splitNames)
  const positions = assign(cells.positions, names.length)
  const companies = assign(cells.companies, names.length)
  const oneEach = (given: string[], index: number) => (given.length === names.length ? (given[index] ?? '') : '')
  return names.map((name, index) => ({
    ...{ name, position: positions[index] ?? '', company: companies[index] ?? '' },
    biography: oneEach(biographies, index),
    photo: oneEach(photos, index),
  }))
}

function assign(cells: string[], count: number): string[] {
  if (count === 1) return [cells.map(toOneLine).join(', ')]
  const parts = cells.flatMap(splitList)
  return parts.length === count ? parts : []
}

/** Names that differ only in accents, spaces or hyphens: they stay two, but somebody may have written one of them wrong. */
export function describeSimilarNames(sessions: readonly SourceSession[]): ImportWarning[] {
  const warnings: ImportWarning[] = []
  /** As an import tells names apart. */
  const known = new Set<string>()
  const firstByLetters = new Map<string, { name: string; line: number }>()
  for (const { line, speakers } of sessions)
    for (const { name, key, guid } of speakers) {
      // Ids say who is who.
      if (key !== '' || guid !== '' || known.has(name.toLowerCase())) continue
      known.add(name.toLowerCase())
      const letters = fold(name).replace(/[\s-]/g, '')
      const first = firstByLetters.get(letters)
      if (!first) firstByLetters.set(letters, { name, line })
      else {
        const message = `${quote(first.name)} (line ${first.line}) and ${quote(name)} (line ${line}) may be one person; they are imported as two.`
        warnings.push({ line, message })
      }
    }
  return warnings
}
