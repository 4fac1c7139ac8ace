import sharp from 'sharp'
import { breakLines } from './line-breaks.ts'
import { type Palette, paletteOf } from './palette.ts'
import { drawPattern } from './pattern.ts'
import type { PlaceholderSubject } from './placeholder-version.ts'
import { drawableText, initialsOf } from './title-text.ts'
import { openTypeface, type Typeface } from './typeface.ts'

/** Width and height in pixels; a banner has the proportions that link previews expect. */
export const placeholderSize = {
  banner: { width: 1200, height: 628 },
  photo: { width: 400, height: 400 },
} as const

export type PictureFormat = 'png' | 'jpeg'

/**
 * Draws the picture of an event that has none, with the title (banner) or its initials (photo) in white on
 * colours of the event's own. The same subject always gives the same bytes. Any title will do: only outlines of
 * characters reach the SVG, never the text itself; characters the font lacks are left out, and a title of which
 * nothing is left becomes a plain mark.
 */
export async function drawPlaceholder(subject: PlaceholderSubject, format: PictureFormat = 'png'): Promise<Buffer> {
  const picture = sharp(Buffer.from(await outlinePlaceholder(subject))).removeAlpha()
  // Level 9 takes three times as long as 6 and saves a tenth of the bytes.
  return (format === 'png' ? picture.png({ compressionLevel: 6 }) : picture.jpeg({ quality: 82 })).toBuffer()
}

/** The same picture as SVG, which depends on nothing but our own code and the font. */
export async function outlinePlaceholder(subject: PlaceholderSubject): Promise<string> {
  const { width, height } = placeholderSize[subject.kind]
  const typeface = await openTypeface()
  const palette = paletteOf(subject.id)
  const text = drawableText(subject.title, typeface.has)
  const face = subject.kind === 'banner' ? bannerFace(text, typeface, palette) : photoFace(text, typeface)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    '<linearGradient id="g" x1="0" y1="0" x2="1" y2="1">',
    `<stop stop-color="${palette.light}"/><stop offset="1" stop-color="${palette.dark}"/></linearGradient>`,
    `<rect width="${width}" height="${height}" fill="url(#g)"/>`,
    drawPattern(subject.id, width, height),
    face,
    '</svg>',
  ].join('')
}

const margin = 88

function bannerFace(text: string, typeface: Typeface, palette: Palette): string {
  const { width, height } = placeholderSize.banner
  if (text === '') return mark(width / 2, height / 2, 200)
  const room = { width: width - 2 * margin, lines: 3, sizes: [96, 84, 72, 62] }
  const { lines, size } = breakLines(text, room, typeface.widthOf)
  const leading = size * 1.2
  const block = (lines.length - 1) * leading + typeface.capHeight * size
  const first = (height - block) / 2 + typeface.capHeight * size
  const bar = `<rect x="${margin}" y="${Math.round((height - block) / 2 - 56)}" width="72" height="10" rx="5"`
  const drawn = lines.map((line, i) => typeface.draw(line, { x: margin, y: first + i * leading, size }))
  return `${bar} fill="${palette.accent}"/><g fill="#fff">${drawn.join('')}</g>`
}

function photoFace(text: string, typeface: Typeface): string {
  const { width, height } = placeholderSize.photo
  const initials = initialsOf(text)
  if (initials === '') return mark(width / 2, height / 2, 150)
  const size = 160
  const x = (width - typeface.widthOf(initials) * size) / 2
  const y = (height + typeface.capHeight * size) / 2
  return `<g fill="#fff">${typeface.draw(initials, { x, y, size })}</g>`
}

// Two peaks within a ring: what stands where there is no text to draw.
function mark(x: number, y: number, size: number): string {
  const frame = `translate(${x} ${y}) scale(${size / 100})`
  const peaks = 'M-34 22L-12 -16L2 8L12 -6L34 22Z'
  return [
    `<g transform="${frame}" stroke="#fff" stroke-width="5" stroke-linejoin="round">`,
    `<circle r="48" fill="none"/><path d="${peaks}" fill="#fff"/></g>`,
  ].join('')
}
