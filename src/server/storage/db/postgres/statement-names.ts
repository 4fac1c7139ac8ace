/** Distinct prepared statements on each connection; the whole program has fewer. */
const maxNames = 256

const names = new Map<string, string>()

/**
 * The name of the prepared statement with this text: a point read that is not parsed and planned again costs half.
 * Beyond the limit there is none, and the statement is prepared for a single use.
 */
export function statementName(text: string): string | undefined {
  const existing = names.get(text)
  if (existing !== undefined || names.size >= maxNames) return existing
  const name = `summit_${names.size}`
  names.set(text, name)
  return name
}
