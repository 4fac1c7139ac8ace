/**
 * Indexes the lines of a text.
 *
 * @param text the whole file; CRLF, LF and a lone CR each end a line
 * @returns a function that maps a 0-based UTF-16 offset to its 1-based line
 */
export function createLineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (const { index, 0: ending } of text.matchAll(/\r\n?|\n/g)) starts.push(index + ending.length)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
