import { readFile } from 'node:fs/promises'

/** The outlines of one font. Lengths are in em (1 = the font size), so one measure serves every size. */
export interface Typeface {
  /** Height of a capital letter. */
  readonly capHeight: number
  /** Whether the font has a shape for the character (one code point). */
  has(character: string): boolean
  /** Advance width of the text set on one line. */
  widthOf(text: string): number
  /** The text as SVG path elements, its baseline starting at `x`, `y` (pixels), `size` pixels high. */
  draw(text: string, at: { x: number; y: number; size: number }): string
}

// Inter is spaced for reading sizes; a headline wants its letters a little closer.
const trackingEm = -0.018

let opened: Promise<Typeface> | undefined

/**
 * Inter Bold, read once from its npm package. Never from the machine: a bare container has neither fonts nor
 * fontconfig, and SVG `<text>` would come out empty there.
 */
export function openTypeface(): Promise<Typeface> {
  opened ??= readTypeface()
  return opened
}

async function readTypeface(): Promise<Typeface> {
  const file = import.meta.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf')
  // fontkit takes about 100 ms to load; a server that never draws a placeholder need not pay for it at start.
  const [{ create }, bytes] = await Promise.all([import('fontkit'), readFile(new URL(file))])
  const font = create(bytes)
  if (!('layout' in font)) throw new Error(`${file} holds a collection, not one font`)
  const em = font.unitsPerEm
  const tracking = trackingEm * em

  const widthOf = (text: string) => {
    const run = font.layout(text)
    return (run.advanceWidth + run.glyphs.length * tracking) / em
  }

  const draw = (text: string, at: { x: number; y: number; size: number }) => {
    const run = font.layout(text)
    const scale = at.size / em
    let pen = 0
    let paths = ''
    run.glyphs.forEach((glyph, i) => {
      const position = run.positions[i]
      if (!position) return
      const outline = glyph.path.toSVG()
      const x = round(pen + position.xOffset)
      if (outline) paths += `<path transform="translate(${x} ${round(position.yOffset)})" d="${outline}"/>`
      pen += position.xAdvance + tracking
    })
    // A font's y axis points up, a picture's down.
    const frame = `translate(${round(at.x)} ${round(at.y)}) scale(${scale.toFixed(6)} ${(-scale).toFixed(6)})`
    return `<g transform="${frame}">${paths}</g>`
  }

  const has = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  return { capHeight: font.capHeight / em, has, widthOf, draw }
}

const round = (value: number) => Math.round(value * 100) / 100
