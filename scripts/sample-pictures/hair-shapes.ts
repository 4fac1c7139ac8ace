/** Hair, or what is worn instead, on a head whose face is 60 wide and reaches from y 50 to 134 around x 100. */
export interface Hair {
  /** Behind the head and the shoulders. */
  back: string
  /** Over the forehead. */
  front: string
}

export type Draw = (base: string, light: string) => Hair

export const circles = (color: string, list: readonly (readonly [x: number, y: number, r: number])[]): string =>
  `<g fill="${color}">${list.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}"/>`).join('')}</g>`

export const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`

export const strand = (d: string, stroke: string, width = 2): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`
