const separator = ', '

/** The parts that differ, in one line, as an event has its speakers, their positions and companies. */
export const joined = (parts: readonly string[]): string =>
  [...new Set(parts.filter((part) => part !== ''))].join(separator)

/** How many of the parts, from the first on, are at most `limit` characters (code points) when they are joined. */
export function fitting(parts: readonly string[], limit: number): number {
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
