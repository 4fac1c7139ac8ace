import { type Person, projectSpeakers, type SpeakerTexts, separator } from '../../program/projection.ts'
import { splitNames } from '../sessions/speakers.ts'

/** A speaker of a corrected event. */
interface CorrectedPerson<P extends Person> {
  /** Who it was; undefined for one who is added. */
  was: P | undefined
  person: Person
}

/**
 * Finds the speakers that the corrected texts of an event tell of. Who is still named stays; other names, positions and
 * companies are assigned one by one if their number is the same. If it is unclear whose they are, the speakers are one.
 * @param people the speakers until now, in order
 */
export function correctPeople<P extends Person>(people: readonly P[], texts: SpeakerTexts): CorrectedPerson<P>[] {
  const { speaker, position, company } = texts
  if (speaker === '' && position === '' && company === '') return []
  const namesBefore = people.map(({ name }) => name)
  const named = readParts(speaker, namesBefore, splitNames).flatMap(({ text: name, was }): CorrectedPerson<P>[] =>
    was === undefined
      ? [{ was, person: { name, position: '', company: '' } }]
      : people
          .filter((each) => each.name === was)
          .map((each) => ({ was: each, person: { name, position: each.position, company: each.company } })),
  )
  const valuesOf = (column: 'position' | 'company') =>
    correctValues(
      named.map(({ person }) => person[column]),
      texts[column],
    )
  const [positions, companies] = [valuesOf('position'), valuesOf('company')]
  const corrected = named.map(({ was, person: { name } }, index) => ({
    was,
    person: { name, position: positions[index] ?? '', company: companies[index] ?? '' },
  }))
  const joined = projectSpeakers(corrected.map(({ person }) => person))
  const isCertain = joined.speaker === speaker && joined.position === position && joined.company === company
  return isCertain ? corrected : [{ was: undefined, person: { name: speaker, position, company } }]
}

/** The position or company of each speaker. */
function correctValues(values: readonly string[], text: string): string[] {
  if (values.length === 1) return [text]
  const parts = readParts(text, values, splitAtSeparators)
  if (parts.length === values.length) return parts.map((part) => part.text)
  return values.map((value) => parts.find(({ was }) => was !== undefined && was === value)?.text ?? '')
}

/** A part of a corrected text. */
interface Part {
  text: string
  /** What it was; undefined if it is added. */
  was: string | undefined
}

const splitAtSeparators = (text: string): string[] => text.split(separator)

/**
 * Divides a corrected text into parts: the stored ones, which may have separators, and others. The others were the stored
 * ones that are missing, in order, if there are as many.
 */
function readParts(text: string, stored: readonly string[], split: (text: string) => string[]): Part[] {
  const missing = new Set(stored.filter((part) => part !== ''))
  const longestFirst = [...missing].sort((a, b) => b.length - a.length)
  const isPartAt = (part: string, at: number) =>
    text.startsWith(part, at) && (at + part.length === text.length || text.startsWith(separator, at + part.length))
  const found: Part[] = []
  for (let at = 0; at < text.length; ) {
    const known = longestFirst.find((part) => missing.has(part) && isPartAt(part, at))
    const last = found.at(-1)
    const next = known ?? text.slice(at).split(separator, 1)[0] ?? ''
    if (known === undefined && last && last.was === undefined) last.text += separator + next
    else found.push({ text: next, was: known })
    if (known !== undefined) missing.delete(known)
    at += next.length + separator.length
  }
  const keepWhole = (part: string) => [part]
  const areLists = [...missing].every((part) => split(part).length > 1)
  const [likely = [], ...others] = [split, splitAtSeparators, ...(areLists ? [keepWhole] : [])].map((divide) =>
    found.flatMap((part) =>
      part.was === undefined ? divide(part.text).map((text): Part => ({ text, was: undefined })) : [part],
    ),
  )
  const countOthers = (parts: Part[]) => parts.filter(({ was }) => was === undefined).length
  const fitting = [likely, ...others].find((parts) => countOthers(parts) === missing.size)
  const before = [...missing]
  return fitting ? fitting.map((part) => (part.was === undefined ? { ...part, was: before.shift() } : part)) : likely
}
