const separator = ', '

/** Joins the distinct non-empty parts, the form in which an event stores its speakers, positions and companies. */
export const joinDistinct = (parts: readonly string[]): string =>
  [...new Set(parts.filter((part) => part !== ''))].join(separator)

/** Counts the leading parts that, joined by {@link joinDistinct}, have at most `limit` characters (code points). */
export function countFitting(parts: readonly string[], limit: number): number {
  const seen = new Set<string>()
  let length = 0
  for (const [index, part] of parts.entries()) {
    if (part === '' || seen.has(part)) continue
    length += (seen.size > 0 ? separator.length : 0) + [...part].length
    if (length > limit) return index
    seen.add(part)
  }
  return parts.length
}
