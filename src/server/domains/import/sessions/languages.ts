const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })

const english = namesIn('en')

/** Without accents, which a spreadsheet may lack. */
const fold = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Reads a language tag (BCP 47), or the name of a language in itself or in a language that headings are in: `de_ch`,
 * `German`, `Deutsch`, `Allemand (Suisse)`.
 *
 * @returns the tag in its usual case; `''` if the text is no known language
 */
export function readLanguageTag(text: string): string {
  const clean = text
    .slice(0, 100)
    .replace(/\([^)]*\)/g, '')
    .trim()
  const tag = clean.replaceAll('_', '-')
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag)) return tagsByName().get(fold(clean)) ?? ''
  try {
    // pretalx has `de-formal`, which is no registered tag.
    const [canonical = ''] = Intl.getCanonicalLocales(tag.replace(/-formal$/i, ''))
    return english.of(canonical.split('-', 1)[0] ?? '') === undefined ? '' : canonical
  } catch {
    return ''
  }
}

let byName: ReadonlyMap<string, string> | undefined

/** The languages that have a tag of two letters. Made when first needed, as it takes a fifth of a second. */
function tagsByName(): ReadonlyMap<string, string> {
  if (byName) return byName
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const tags = letters.flatMap((first) => letters.map((second) => first + second)).filter((tag) => english.of(tag))
  const others = ['de', 'fr', 'es'].map(namesIn)
  byName = new Map(
    tags.flatMap((tag) =>
      [namesIn(tag), ...others, english].flatMap((names) => {
        const name = names.of(tag)
        return name === undefined ? [] : [[fold(name), tag] as const]
      }),
    ),
  )
  return byName
}
