/** Red, green and blue, each 0 to 1, in linear light (not gamma-coded). */
type LinearRgb = readonly [number, number, number]

/** The colours of one placeholder, as `#rrggbb`. */
export interface Palette {
  /** The lighter and darker end of the gradient; white text on either passes WCAG AA (4.5:1). */
  readonly light: string
  readonly dark: string
  /** A bright colour for small ornaments, not for text. */
  readonly accent: string
}

// Successive multiples of the golden angle are far apart, so neighbouring ids get very different hues.
const goldenAngle = 137.508

// From green through blue and red to orange. At this lightness the remaining hues are muddy.
const firstHue = 132
const hueRange = 290

// The dark end shifts towards violet: upwards for cool hues, downwards for warm ones, which begin here.
const firstWarmHue = 330

/** The colours for an id, always the same. Lightness is fixed, so white text is readable on every hue. */
export function paletteOf(id: number): Palette {
  const hue = firstHue + ((id * goldenAngle) % 360) * (hueRange / 360)
  return {
    light: hex(oklch(0.48, 0.15, hue)),
    dark: hex(oklch(0.31, 0.11, hue + (hue > firstWarmHue ? -30 : 35))),
    accent: hex(oklch(0.86, 0.13, hue + 70)),
  }
}

/** Converts OKLCH lightness (0 to 1), chroma and hue (degrees), reducing chroma until the colour is within sRGB. */
function oklch(lightness: number, chroma: number, hue: number): LinearRgb {
  const angle = (hue * Math.PI) / 180
  for (let c = chroma; c > 0; c -= 0.005) {
    const colour = oklab(lightness, c * Math.cos(angle), c * Math.sin(angle))
    if (colour.every((channel) => channel >= 0 && channel <= 1)) return colour
  }
  return oklab(lightness, 0, 0)
}

// Matrices from https://bottosson.github.io/posts/oklab/
function oklab(lightness: number, a: number, b: number): LinearRgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function hex(colour: LinearRgb): string {
  const toByte = (channel: number) => Math.round(Math.min(1, Math.max(0, gammaEncode(channel))) * 255)
  return `#${colour.map((channel) => toByte(channel).toString(16).padStart(2, '0')).join('')}`
}

const gammaEncode = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)
