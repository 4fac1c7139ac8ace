import { defaultLimits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import { toOneLine, truncate } from '../../../core/clean-text.ts'
import type { SourceLink } from '../source.ts'
import { readLanguageTag } from './languages.ts'
import { decodeReferences } from './session-titles.ts'

// Values that a file has beside its texts and times. One that is of no use is left out, rather than the session.

/** Not configurable: a different limit would change the keys of stored sessions. */
const maxKeyLength = 255

/** The first id that is not blank. */
export const readId = (ids: readonly string[]): string | undefined =>
  ids.map((given) => truncate(toOneLine(given), maxKeyLength)).find((given) => !isBlank(given))

/** Creates a function that returns an id, or with a number if it is the key of another session. */
export function createKeyOfId(taken: ReadonlyMap<string, unknown>): (id: string) => string {
  /** The last numbers, by what they follow: long ids may differ only in what is cut off. */
  const numbers = new Map<string, number>()
  return (id) => {
    if (!taken.has(id)) return id
    const stem = truncate(id, maxKeyLength - 10)
    let number = numbers.get(stem) ?? 1
    let key = ''
    do {
      number += 1
      key = `${stem}-${number}`
    } while (taken.has(key))
    numbers.set(stem, number)
    return key
  }
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** A UUID in lower case; `''` if the text is none. */
export function readUuid(text = ''): string {
  const clean = text.trim().toLowerCase()
  return uuid.test(clean) ? clean : ''
}

/** An http(s) URL as written; `''` if the text is none, or longer than a link may be. */
export function readUrl(text = ''): string {
  const clean = text.trim()
  return clean.length <= defaultLimits.link && /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(clean) && URL.canParse(clean)
    ? clean
    : ''
}

/** Languages of a session; more than these are an attack. */
const maxLanguages = 10

/** The tag of a language, or several, joined by commas; `''` if the text is anything else. */
export function readLanguage(text = ''): string {
  const tags = text.split(/[,;/]/).map((tag) => readLanguageTag(tag.trim()))
  return tags.includes('') || tags.length > maxLanguages ? '' : [...new Set(tags)].join(', ')
}

/** A colour as `#rrggbb`; `''` if the text is none. */
export function readColor(text = ''): string {
  const [, digits = ''] = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(text.trim()) ?? []
  return digits && `#${(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toLowerCase()}`
}

/** Links of a session or speaker; more than these are an attack. */
const maxLinks = 50

/** The links with a usable URL, each once. */
export function readLinks<L extends SourceLink>(links: readonly L[] = []): L[] {
  const byUrl = new Map<string, L>()
  for (const link of links) {
    if (byUrl.size === maxLinks) break
    const url = readUrl(link.url)
    if (url !== '' && !byUrl.has(url))
      byUrl.set(url, { ...link, url, title: truncate(toOneLine(link.title), defaultLimits.text) })
  }
  return [...byUrl.values()]
}

/** Tags of a session; more than these are an attack. */
const maxTags = 50

export const cleanTag = (tag: string): string => truncate(toOneLine(decodeReferences(tag)), defaultLimits.text)

/** The tags that are not blank, each once. */
export function readTags(tags: readonly string[], clean = cleanTag): string[] {
  const found = new Set<string>()
  for (const tag of tags) {
    if (found.size === maxTags) break
    if (!isBlank(clean(tag))) found.add(clean(tag))
  }
  return [...found]
}
