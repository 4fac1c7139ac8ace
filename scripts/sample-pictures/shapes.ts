/** A scene is 960 x 640. */
export const scene = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 640">${content}</svg>`

export const rect = (x: number, y: number, width: number, height: number, fill: string, rx = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rx}" fill="${fill}"/>`

export const circle = (cx: number, cy: number, r: number, fill: string, opacity = 1): string =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}" opacity="${opacity}"/>`

export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string, opacity = 1): string =>
  `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}" opacity="${opacity}"/>`

export const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`

export const line = (d: string, stroke: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}"/>`

export const at = (x: number, y: number, content: string, scale = 1, turn = 0): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${content}</g>`

/** From top to bottom. */
export const sky = (top: string, bottom: string): string =>
  `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient><rect width="960" height="640" fill="url(#sky)"/>`

/** Numbers from 0 to 1 that look random and are the same each time. */
export function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Gabled wooden houses in a row that stands on y. */
export function houses(y: number, colors: readonly string[], window: string, roof: string): string {
  const next = sequence(7)
  let x = -20
  let drawn = ''
  for (let nth = 0; x < 960; nth++) {
    const width = 92 + Math.round(next() * 46)
    const height = 150 + Math.round(next() * 70)
    const top = y - height
    const middle = x + width / 2
    drawn += path(
      `M${x} ${y}V${top}L${middle} ${top - 56}L${x + width} ${top}V${y}Z`,
      colors[nth % colors.length] ?? '',
    )
    drawn += line(`M${x - 5} ${top + 4}L${middle} ${top - 58}L${x + width + 5} ${top + 4}`, roof, 9)
    for (let row = top + 14; row < y - 50; row += 46)
      for (const column of [0.2, 0.58]) drawn += rect(x + width * column, row, 22, 28, window, 2)
    drawn += rect(middle - 13, top - 28, 26, 20, window, 3)
    drawn += rect(middle - 14, y - 44, 28, 44, roof, 3)
    x += width + 3
  }
  return drawn
}

/** A paper lantern that glows, about 40 wide. */
export const lantern = (x: number, y: number, scale = 1): string =>
  at(
    x,
    y,
    circle(0, 0, 54, '#ffcf73', 0.16) +
      circle(0, 0, 34, '#ffcf73', 0.22) +
      path('M-17 -14C-20 -4 -20 4 -17 14L17 14C20 4 20 -4 17 -14Z', '#ffd98a') +
      path('M-8 -14C-10 -4 -10 4 -8 14L8 14C10 4 10 -4 8 -14Z', '#fff0c4') +
      rect(-18, -18, 36, 5, '#8a4b23', 2) +
      rect(-18, 13, 36, 5, '#8a4b23', 2),
    scale,
  )

/** Short strokes of light on water. */
export function ripples(from: number, to: number, color: string, seed: number, count = 40): string {
  const next = sequence(seed)
  let drawn = ''
  for (let nth = 0; nth < count; nth++) {
    const y = from + next() * (to - from)
    const x = next() * 960
    const length = 16 + ((y - from) / (to - from)) * 50 * next()
    drawn += line(`M${Math.round(x)} ${Math.round(y)}h${Math.round(length)}`, color, 3, 0.5)
  }
  return drawn
}

/** Somebody seen from behind: head and shoulders, 100 wide, the head's middle at the origin. */
export const fromBehind = (hair: string, clothes: string): string =>
  path('M-54 110C-54 62 -30 44 -12 40L12 40C30 44 54 62 54 110Z', clothes) +
  rect(-11, 22, 22, 24, '#c98f66', 6) +
  ellipse(0, 0, 27, 32, hair)
