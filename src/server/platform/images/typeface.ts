import { readFile } from 'node:fs/promises'
import { create } from 'fontkit'

/** The outlines of one font. Lengths are in em (1 = the font size) and so apply to every size. */
export interface Typeface {
  /** Height of a capital letter. */
  readonly capHeight: number
  /** Whether the font has a glyph for the character (one code point). */
  has(character: string): boolean
  /** The advance width of the text on one line. */
  widthOf(text: string): number
  /** The text as SVG path elements, its baseline starting at `x`, `y` (pixels), `size` pixels high. */
  draw(text: string, at: { x: number; y: number; size: number }): string
}

// Inter is spaced for body text; headlines look better with tighter letter spacing.
const trackingEm = -0.018

let typeface: Promise<Typeface> | undefined

/**
 * Loads Inter Bold once, from its npm package. System fonts are not used: a bare container has neither fonts nor
 * fontconfig, and SVG `<text>` would be empty there.
 */
export function openTypeface(): Promise<Typeface> {
  typeface ??= readTypeface()
  return typeface
}

async function readTypeface(): Promise<Typeface> {
  const file = import.meta.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf')
  const font = create(await readFile(new URL(file)))
  if (!('layout' in font)) throw new Error(`${file} is a font collection, not a single font`)
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
    // The y axis of a font points up, that of a picture down.
    const frame = `translate(${round(at.x)} ${round(at.y)}) scale(${scale.toFixed(6)} ${(-scale).toFixed(6)})`
    return `<g transform="${frame}">${paths}</g>`
  }

  const has = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  return { capHeight: font.capHeight / em, has, widthOf, draw }
}

const round = (value: number) => Math.round(value * 100) / 100
