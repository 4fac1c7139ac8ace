/** Relative luminance (0 black to 1 white) by WCAG 2.2, of `#rrggbb`. */
export function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => decode(Number.parseInt(colour.slice(at, at + 2), 16) / 255))
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** From gamma-coded to linear light. */
const decode = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
