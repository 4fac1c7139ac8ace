import sharp from 'sharp'
import { breakLines } from './line-breaks.ts'
import { type Palette, paletteOf } from './palette.ts'
import { drawPattern } from './pattern.ts'
import type { PlaceholderSubject } from './placeholder-version.ts'
import { drawableText, initialsOf } from './title-text.ts'
import { openTypeface, type Typeface } from './typeface.ts'

/** Width and height in pixels; a banner has the aspect ratio of link previews. */
export const placeholderSize = {
  banner: { width: 1200, height: 628 },
  photo: { width: 400, height: 400 },
} as const

export type PictureFormat = 'png' | 'jpeg'

/**
 * Draws the picture of an event that has none, with the title (banner) or its initials (photo) in white, on colours
 * chosen by the event's id. Equal subjects give equal bytes. Any title is safe, since only outlines of characters reach
 * the SVG, never the text itself. If the font lacks a character of the title, or none is left without emoji, a logo is
 * drawn instead.
 */
export async function drawPlaceholder(subject: PlaceholderSubject, format: PictureFormat = 'png'): Promise<Buffer> {
  const picture = sharp(Buffer.from(await renderPlaceholderSvg(subject))).removeAlpha()
  // Level 9 takes three times as long as 6 and saves only a tenth of the bytes.
  return (format === 'png' ? picture.png({ compressionLevel: 6 }) : picture.jpeg({ quality: 82 })).toBuffer()
}

/** The same picture as SVG, which depends only on this code and the font. */
export async function renderPlaceholderSvg(subject: PlaceholderSubject): Promise<string> {
  const { width, height } = placeholderSize[subject.kind]
  const typeface = await openTypeface()
  const palette = paletteOf(subject.id)
  const text = drawableText(subject.title, typeface.has)
  const foreground = subject.kind === 'banner' ? drawTitle(text, typeface, palette) : drawInitials(text, typeface)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    '<linearGradient id="g" x1="0" y1="0" x2="1" y2="1">',
    `<stop stop-color="${palette.light}"/><stop offset="1" stop-color="${palette.dark}"/></linearGradient>`,
    `<rect width="${width}" height="${height}" fill="url(#g)"/>`,
    drawPattern(subject.id, width, height),
    foreground,
    '</svg>',
  ].join('')
}

const margin = 88

function drawTitle(text: string, typeface: Typeface, palette: Palette): string {
  const { width, height } = placeholderSize.banner
  if (text === '') return drawLogo(width / 2, height / 2, 200)
  const box = { width: width - 2 * margin, maxLines: 3, sizes: [96, 84, 72, 62] }
  const { lines, size } = breakLines(text, box, typeface.widthOf)
  const lineHeight = size * 1.2
  const blockHeight = (lines.length - 1) * lineHeight + typeface.capHeight * size
  const firstBaseline = (height - blockHeight) / 2 + typeface.capHeight * size
  const bar = `<rect x="${margin}" y="${Math.round((height - blockHeight) / 2 - 56)}" width="72" height="10" rx="5"`
  const drawn = lines.map((line, i) => typeface.draw(line, { x: margin, y: firstBaseline + i * lineHeight, size }))
  return `${bar} fill="${palette.accent}"/><g fill="#fff">${drawn.join('')}</g>`
}

function drawInitials(text: string, typeface: Typeface): string {
  const { width, height } = placeholderSize.photo
  const initials = initialsOf(text)
  if (initials === '') return drawLogo(width / 2, height / 2, 150)
  const size = 160
  const x = (width - typeface.widthOf(initials) * size) / 2
  const y = (height + typeface.capHeight * size) / 2
  return `<g fill="#fff">${typeface.draw(initials, { x, y, size })}</g>`
}

/** Draws two peaks within a ring, in place of text. */
function drawLogo(x: number, y: number, size: number): string {
  const frame = `translate(${x} ${y}) scale(${size / 100})`
  const peaks = 'M-34 22L-12 -16L2 8L12 -6L34 22Z'
  return [
    `<g transform="${frame}" stroke="#fff" stroke-width="5" stroke-linejoin="round">`,
    `<circle r="48" fill="none"/><path d="${peaks}" fill="#fff"/></g>`,
  ].join('')
}
