/** Creates a deterministic random generator of numbers in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
  // Mix in the upper half of ids beyond 32 bits, so that two large ids do not share a picture.
  let state = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b1)) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Motif = (random: () => number, width: number, height: number) => string

/** Draws a subtle pattern for a background of `width` x `height` pixels, as SVG elements that hardly brighten it. */
export function drawPattern(seed: number, width: number, height: number): string {
  const random = createRandom(seed)
  const motif = motifs[Math.floor(random() * motifs.length)] ?? ridges
  return motif(random, width, height)
}

// Dark mountain ranges behind one another, and a pale sun.
const ridges: Motif = (random, width, height) => {
  const sunX = width * (0.7 + random() * 0.2)
  const sun = `<circle cx="${formatPx(sunX)}" cy="${formatPx(height * 0.26)}" r="${formatPx(height * 0.17)}" fill="#fff" opacity=".09"/>`
  const ranges = [0.62, 0.74, 0.86].map((base) => {
    const [phase, frequency] = [random() * 7, 2.2 + random() * 2]
    let line = `M0 ${formatPx(height)}`
    for (let x = 0; x <= width; x += 8) {
      const t = (x / width) * frequency + phase
      // The absolute value of a sine has sharp crests, like mountains.
      const crest = 0.13 * (1 - Math.abs(Math.sin(t * 1.9))) + 0.05 * (1 - Math.abs(Math.sin(t * 4.7 + phase)))
      line += `L${x} ${formatPx(height * (base - crest + 0.06))}`
    }
    return `<path d="${line}L${formatPx(width)} ${formatPx(height)}Z" fill="#000" opacity=".13"/>`
  })
  return sun + ranges.join('')
}

// Rings that spread from a corner on the right, like ripples on water.
const rings: Motif = (random, width, height) => {
  const x = width * (0.86 + random() * 0.12)
  const y = height * (random() < 0.5 ? 0.02 : 0.98)
  const step = height * (0.1 + random() * 0.05)
  let circles = ''
  for (let i = 1; i <= 8; i++) {
    const opacity = (0.1 - i * 0.009).toFixed(3)
    circles += `<circle cx="${formatPx(x)}" cy="${formatPx(y)}" r="${formatPx(step * i)}" opacity="${opacity}"/>`
  }
  return `<g fill="none" stroke="#fff" stroke-width="${formatPx(step * 0.42)}">${circles}</g>`
}

// Half discs on a grid, denser to the right, where titles seldom reach.
const tiles: Motif = (random, width, height) => {
  const side = height / 5
  const columns = Math.ceil(width / side)
  let discs = ''
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < 5; row++) {
      const [chance, turn, shade] = [random(), Math.floor(random() * 4) * 90, random()]
      if (chance > (column / columns) ** 1.6) continue
      const transform = `translate(${formatPx((column + 0.5) * side)} ${formatPx((row + 0.5) * side)}) rotate(${turn})`
      const half = side / 2
      const disc = `M${formatPx(-half)} ${formatPx(-half)}h${formatPx(side)}a${formatPx(side)} ${formatPx(side)} 0 0 1 ${formatPx(-side)} ${formatPx(side)}z`
      const style = shade < 0.5 ? 'fill="#fff" opacity=".07"' : 'fill="#000" opacity=".11"'
      discs += `<path transform="${transform}" d="${disc}" ${style}/>`
    }
  }
  return discs
}

const motifs: readonly Motif[] = [ridges, rings, tiles]

const formatPx = (value: number) => value.toFixed(1)
