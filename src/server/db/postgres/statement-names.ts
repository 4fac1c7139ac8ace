/** Distinct statements kept prepared on each connection; the whole program has fewer. */
const maxNames = 256

const names = new Map<string, string>()

/**
 * The name under which the server keeps this statement prepared on a connection: point reads cost half without being
 * parsed and planned again. Beyond the bound there is none, and the statement is prepared for this once.
 */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `summit_${names.size}`
  names.set(text, name)
  return name
}
