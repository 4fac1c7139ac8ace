/**
 * Recognizes a heading by its words, in any order: it has a word of every set in `needs`, and no others but those of
 * `allows`. So `Time Start`, `event_start_time` and `Start time of session` are all the start.
 */
export interface HeadingRule<Field extends string> {
  field: Field
  needs: readonly ReadonlySet<string>[]
  allows: ReadonlySet<string>
}

export const wordSet = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')))

/** @param needs sets of alternative words, each as a list separated by spaces */
export const headingRule = <Field extends string>(
  field: Field,
  needs: readonly string[],
  ...allows: string[]
): HeadingRule<Field> => ({
  field,
  needs: needs.map((list) => wordSet(list)),
  allows: wordSet(...needs, ...allows),
})

/** Words that say nothing about the field, in headings and in the questions of forms: `What is the title of your talk?` */
export const smallWords =
  'a an the of s is are what in on for please enter required optional mandatory ' +
  'der des die das von wie lautet ist bitte pflichtfeld de du d la le les l quel quelle est el los las del cual es'

/** Templates add instructions to a heading: `Date: MM/DD/YYYY`, `Speakers - separate them with semicolons`. */
const instruction = /[\r\n:;*]|\s[-–—]\s/

/** The words of a heading, without numbers at their ends (`speaker1_first`), or of its part before an instruction. */
export function headingWords(header: string): string[][] {
  const beforeInstruction = header.slice(0, 200).trim().split(instruction, 1)[0] ?? ''
  return [...new Set([header, beforeInstruction])].map(wordsOf).filter((words) => words.length > 0)
}

const wordsOf = (header: string): string[] =>
  normalizeHeader(header)
    .split(' ')
    .map((word) => word.replace(/(?<=\p{L})\d{1,2}$/u, ''))
    .filter((word) => word !== '' && !/^\d{1,2}$/.test(word))

export const matchesRule = <Field extends string>(
  words: readonly string[],
  { needs, allows }: HeadingRule<Field>,
): boolean => words.every((word) => allows.has(word)) && needs.every((set) => words.some((word) => set.has(word)))

// Longer cells are data, not headings. Without this limit a hostile file would take minutes.
const maxHeaderLength = 100

/**
 * Normalizes a header: case, accents, camelCase, punctuation and hints in brackets are ignored.
 * `startsAt`, `Starts at` and `STARTS_AT (local)` all become `starts at`.
 */
export const normalizeHeader = (header: string): string =>
  header
    .slice(0, maxHeaderLength)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Removes a trailing number from a normalized header. */
export const stripNumber = (header: string): string => header.replace(/ ?\d{1,2}$/, '')
