/** Whether a title or name may be a corrected form of the other: they share most of their pairs of letters. */
export function isResembling(one: string, other: string): boolean {
  const [pairs, otherPairs] = [letterPairs(one), letterPairs(other)]
  const all = pairs.length + otherPairs.length
  const counts = new Map<string, number>()
  for (const pair of otherPairs) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  let shared = 0
  for (const pair of pairs) {
    const count = counts.get(pair) ?? 0
    if (count > 0) shared += 1
    counts.set(pair, count - 1)
  }
  return all > 0 && (2 * shared) / all >= 0.5
}

/** Of each word, so that the order of words does not matter. */
const letterPairs = (text: string): string[] =>
  (
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).flatMap((word) =>
    word.length === 1 ? [word] : Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)),
  )
