import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { luminance } from '../luminance.ts'

// The colours of the pages for every hue that organizers can choose, computed from the file that browsers read.

const css = readFileSync(join(import.meta.dirname, '../../src/web/style/1-tokens.css'), 'utf8')

/** `--ink: light-dark(LIGHT, DARK);`, or one colour for both. */
const tokens = new Map(
  Array.from(css.matchAll(/--([a-z-]+): (?:light-dark\((.+), (\S.*)\)|([^;]*)?);/g), ([, name, light, dark, both]) => [
    name ?? '',
    { light: light ?? both ?? '', dark: dark ?? both ?? '' },
  ]),
)

type Scheme = 'light' | 'dark'
type Rgb = readonly [number, number, number]

/** Linear light in sRGB, for a colour in OKLCH; components beyond 0 and 1 are outside of what screens show. */
function toLinear(l: number, c: number, degrees: number): Rgb {
  const angle = (degrees * Math.PI) / 180
  const [a, b] = [c * Math.cos(angle), c * Math.sin(angle)]
  // https://www.w3.org/TR/css-color-4/#color-conversion-code
  const [long, medium, short] = [
    l + 0.3963377774 * a + 0.2158037573 * b,
    l - 0.1055613458 * a - 0.0638541728 * b,
    l - 0.0894841775 * a - 1.291485548 * b,
  ].map((x) => x ** 3) as unknown as Rgb
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const clip = (x: number) => Math.min(1, Math.max(0, x))
const isVisible = (rgb: Rgb) => rgb.every((x) => x >= -1e-4 && x <= 1.0001)

/**
 * The luminances with which browsers may show a colour: they clip a colour outside of sRGB, or take the nearest with less
 * chroma.
 */
function luminancesOf(colour: string, hue: number): number[] {
  if (colour === '#fff') return [luminance('#ffffff')]
  const [, l, c, h] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+|var\(--hue\))\)$/.exec(colour) ?? []
  if (l === undefined) throw new Error(`Not a colour of a known form: ${colour}`)
  const degrees = h === 'var(--hue)' ? hue : Number(h)
  const exact = toLinear(Number(l), Number(c), degrees)
  let chroma = Number(c)
  while (!isVisible(toLinear(Number(l), chroma, degrees))) chroma -= 0.001
  return [exact, toLinear(Number(l), chroma, degrees)].map((rgb) => {
    const [r, g, b] = rgb.map(clip) as unknown as Rgb
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  })
}

/** The lowest contrast (WCAG 2.2) of two tokens over all hues. */
function lowestContrast(above: string, below: string, scheme: Scheme): { contrast: number; hue: number } {
  const [front, back] = [above, below].map((name) => tokens.get(name)?.[scheme] ?? '')
  let lowest = { contrast: Number.POSITIVE_INFINITY, hue: 0 }
  for (let hue = 0; hue < 360; hue++)
    for (const a of luminancesOf(front ?? '', hue))
      for (const b of luminancesOf(back ?? '', hue)) {
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
        if (contrast < lowest.contrast) lowest = { contrast, hue }
      }
  return lowest
}

const texts = ['ink', 'quiet', 'accent', 'bad', 'warn', 'ok']
const pairs: [string, string][] = [
  ...['paper', 'raised', 'soft'].flatMap((below) => texts.map((above): [string, string] => [above, below])),
  ...['bad', 'warn', 'ok'].map((tone): [string, string] => [tone, `${tone}-soft`]),
  ['on-accent', 'accent'],
]

test.each<Scheme>(['light', 'dark'])('every text can be read in every hue, in the %s scheme', (scheme) => {
  const poor = pairs
    .map(([above, below]) => ({ above, below, ...lowestContrast(above, below, scheme) }))
    .filter(({ contrast }) => contrast < 5.5)
  expect(poor).toEqual([])
})

test.each<Scheme>(['light', 'dark'])('the border of a field, and the focus, are seen in the %s scheme', (scheme) => {
  const poor = ['paper', 'raised', 'soft']
    .flatMap((below) => ['field', 'accent'].map((above) => ({ above, below, ...lowestContrast(above, below, scheme) })))
    .filter(({ contrast }) => contrast < 3)
  expect(poor).toEqual([])
})

test('black on white has the contrast that WCAG gives it, and the colours of the page are those of the file', () => {
  expect(luminancesOf('oklch(0 0 0)', 0)[0]).toBeCloseTo(0)
  expect(luminancesOf('oklch(1 0 0)', 0)[0]).toBeCloseTo(1)
  // #ff0000 in OKLCH.
  expect(luminancesOf('oklch(0.6279554 0.2576833 29.23388)', 0)[0]).toBeCloseTo(0.2126, 3)
  expect([...tokens.keys()]).toEqual(expect.arrayContaining([...texts, 'paper', 'raised', 'soft', 'field']))
})
