/** The lines of a title and the size (pixels) they are set in. */
export interface SetLines {
  readonly lines: readonly string[]
  readonly size: number
}

/** Room for a title: width in pixels, lines at most, and the sizes (pixels) to try, largest first. */
export interface Room {
  readonly width: number
  readonly lines: number
  readonly sizes: readonly number[]
}

/**
 * Breaks a title (words parted by single spaces) into lines at the largest size where it fits as a whole; at the
 * smallest one it is cut and ends in an ellipsis. `widthOf` measures in em.
 */
export function breakLines(text: string, room: Room, widthOf: (text: string) => number): SetLines {
  const widths = new Map<string, number>()
  const measure = (part: string) => {
    const known = widths.get(part) ?? widthOf(part)
    widths.set(part, known)
    return known
  }
  // A dash by itself stays with the word before it: it would look lost at the start of a line.
  const words = text.split(/ (?![\p{Pd}|/:·•]+(?: |$))/u)
  const widest = Math.max(...words.map(measure))
  for (const size of room.sizes) {
    const limit = room.width / size
    if (widest > limit) continue
    const lines = fill(words, limit, measure)
    if (lines.length <= room.lines) return { size, lines: balance(words, lines, limit, measure) }
  }
  const size = room.sizes.at(-1) ?? 1
  const limit = room.width / size
  const lines = fill(
    words.flatMap((word) => chop(word, limit, measure)),
    limit,
    measure,
  )
  if (lines.length <= room.lines) return { size, lines }
  const last = `${lines[room.lines - 1]} ${lines[room.lines]}`
  return { size, lines: [...lines.slice(0, room.lines - 1), shorten(last, limit, widthOf)] }
}

type Measure = (part: string) => number

function fill(words: readonly string[], limit: number, measure: Measure): string[] {
  const lines: string[] = []
  const space = measure(' ')
  let taken = Number.POSITIVE_INFINITY
  for (const word of words) {
    const width = measure(word)
    taken += space + width
    if (taken <= limit) {
      lines[lines.length - 1] += ` ${word}`
    } else {
      lines.push(word)
      taken = width
    }
  }
  return lines
}

// As narrow as the same number of lines allows: no lonely word is left on the last one.
function balance(words: readonly string[], lines: string[], limit: number, measure: Measure): string[] {
  let [low, high, best] = [Math.max(...words.map(measure)), limit, lines]
  for (let round = 0; round < 12; round++) {
    const middle = (low + high) / 2
    const tried = fill(words, middle, measure)
    if (tried.length > lines.length) low = middle
    else [high, best] = [middle, tried]
  }
  return best
}

function chop(word: string, limit: number, measure: Measure): string[] {
  if (measure(word) <= limit) return [word]
  const parts: string[] = []
  let taken = Number.POSITIVE_INFINITY
  for (const character of word) {
    const width = measure(character)
    taken += width
    if (taken <= limit) {
      parts[parts.length - 1] += character
    } else {
      parts.push(character)
      taken = width
    }
  }
  return parts
}

function shorten(line: string, limit: number, widthOf: Measure): string {
  const characters = Array.from(line)
  let kept = ''
  while (characters.length > 0) {
    kept = characters.join('').replace(/[\s\p{P}]+$/u, '')
    if (widthOf(`${kept}…`) <= limit) break
    characters.pop()
  }
  // A whole word reads better than half of one, unless much would be lost.
  const wordEnd = kept.lastIndexOf(' ')
  const cutsWord = !/^[\s\p{P}]/u.test(line.slice(kept.length))
  return `${cutsWord && wordEnd > kept.length / 2 ? kept.slice(0, wordEnd) : kept}…`
}
