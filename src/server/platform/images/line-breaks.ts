/** The lines of a title and their font size in pixels. */
export interface TitleLayout {
  readonly lines: readonly string[]
  readonly size: number
}

/**
 * The space for a title: its width in pixels, the maximum number of lines, and the font sizes to try, largest first.
 */
export interface TitleBox {
  readonly width: number
  readonly maxLines: number
  readonly sizes: readonly number[]
}

/**
 * Breaks a title (words separated by single spaces) into lines at the largest font size at which it fits. At the
 * smallest one it is truncated with an ellipsis if necessary. `widthOf` measures in em.
 */
export function breakLines(text: string, box: TitleBox, widthOf: (text: string) => number): TitleLayout {
  const widths = new Map<string, number>()
  const measure = (part: string) => {
    const width = widths.get(part) ?? widthOf(part)
    widths.set(part, width)
    return width
  }
  // A lone dash stays with the word before it, so that no line starts with it.
  const words = text.split(/ (?![\p{Pd}|/:·•]+(?: |$))/u)
  const widest = Math.max(...words.map(measure))
  for (const size of box.sizes) {
    const limit = box.width / size
    if (widest > limit) continue
    const lines = fillLines(words, limit, measure)
    if (lines.length <= box.maxLines) return { size, lines: balanceLines(words, lines, limit, measure) }
  }
  const size = box.sizes.at(-1) ?? 1
  const limit = box.width / size
  const lines = fillLines(
    words.flatMap((word) => splitWord(word, limit, measure)),
    limit,
    measure,
  )
  if (lines.length <= box.maxLines) return { size, lines }
  const last = `${lines[box.maxLines - 1]} ${lines[box.maxLines]}`
  return { size, lines: [...lines.slice(0, box.maxLines - 1), truncateWithEllipsis(last, limit, widthOf)] }
}

type Measure = (part: string) => number

function fillLines(words: readonly string[], limit: number, measure: Measure): string[] {
  const lines: string[] = []
  const space = measure(' ')
  let lineWidth = Number.POSITIVE_INFINITY
  for (const word of words) {
    const width = measure(word)
    lineWidth += space + width
    if (lineWidth <= limit) {
      lines[lines.length - 1] += ` ${word}`
    } else {
      lines.push(word)
      lineWidth = width
    }
  }
  return lines
}

/** Makes the lines as narrow as their number allows, so that no single word is left on the last one. */
function balanceLines(words: readonly string[], lines: string[], limit: number, measure: Measure): string[] {
  let [low, high, best] = [Math.max(...words.map(measure)), limit, lines]
  for (let round = 0; round < 12; round++) {
    const middle = (low + high) / 2
    const attempt = fillLines(words, middle, measure)
    if (attempt.length > lines.length) low = middle
    else [high, best] = [middle, attempt]
  }
  return best
}

function splitWord(word: string, limit: number, measure: Measure): string[] {
  if (measure(word) <= limit) return [word]
  const parts: string[] = []
  let partWidth = Number.POSITIVE_INFINITY
  for (const character of word) {
    const width = measure(character)
    partWidth += width
    if (partWidth <= limit) {
      parts[parts.length - 1] += character
    } else {
      parts.push(character)
      partWidth = width
    }
  }
  return parts
}

function truncateWithEllipsis(line: string, limit: number, widthOf: Measure): string {
  const characters = Array.from(line)
  let shortened = ''
  while (characters.length > 0) {
    shortened = characters.join('').replace(/[\s\p{P}]+$/u, '')
    if (widthOf(`${shortened}…`) <= limit) break
    characters.pop()
  }
  // Prefer to end with a whole word, unless much would be lost.
  const wordEnd = shortened.lastIndexOf(' ')
  const splitsWord = !/^[\s\p{P}]/u.test(line.slice(shortened.length))
  return `${splitsWord && wordEnd > shortened.length / 2 ? shortened.slice(0, wordEnd) : shortened}…`
}
