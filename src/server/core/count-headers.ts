/**
 * Counts the lines of a header, of which `headers` of a request may have only the first.
 * @param rawHeaders names and values, alternating
 * @param name in lower case
 */
export function countHeaders(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const found = rawHeaders[index] ?? ''
    if (found.length === name.length && found.toLowerCase() === name) count++
  }
  return count
}
