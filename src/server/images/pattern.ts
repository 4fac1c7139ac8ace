// A stream of numbers from 0 to below 1 that depends on the seed alone (mulberry32).
function seeded(seed: number): () => number {
  // Ids beyond 32 bits keep their upper half, so that two large ids do not share a picture.
  let state = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b1)) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Motif = (random: () => number, width: number, height: number) => string

/** A quiet ornament for a background of `width` x `height` pixels, as SVG elements that never brighten it much. */
export function drawPattern(seed: number, width: number, height: number): string {
  const random = seeded(seed)
  const motif = motifs[Math.floor(random() * motifs.length)] ?? ridges
  return motif(random, width, height)
}

// Darker mountain ranges, one behind the other, and a pale sun.
const ridges: Motif = (random, width, height) => {
  const sunX = width * (0.7 + random() * 0.2)
  const sun = `<circle cx="${px(sunX)}" cy="${px(height * 0.26)}" r="${px(height * 0.17)}" fill="#fff" opacity=".09"/>`
  const ranges = [0.62, 0.74, 0.86].map((base) => {
    const [phase, pace] = [random() * 7, 2.2 + random() * 2]
    let line = `M0 ${px(height)}`
    for (let x = 0; x <= width; x += 8) {
      const t = (x / width) * pace + phase
      // Folded sines have the sharp crests of mountains.
      const crest = 0.13 * (1 - Math.abs(Math.sin(t * 1.9))) + 0.05 * (1 - Math.abs(Math.sin(t * 4.7 + phase)))
      line += `L${x} ${px(height * (base - crest + 0.06))}`
    }
    return `<path d="${line}L${px(width)} ${px(height)}Z" fill="#000" opacity=".13"/>`
  })
  return sun + ranges.join('')
}

// Rings that spread from a corner on the right, as on water.
const rings: Motif = (random, width, height) => {
  const x = width * (0.86 + random() * 0.12)
  const y = height * (random() < 0.5 ? 0.02 : 0.98)
  const step = height * (0.1 + random() * 0.05)
  let circles = ''
  for (let i = 1; i <= 8; i++) {
    const opacity = (0.1 - i * 0.009).toFixed(3)
    circles += `<circle cx="${px(x)}" cy="${px(y)}" r="${px(step * i)}" opacity="${opacity}"/>`
  }
  return `<g fill="none" stroke="#fff" stroke-width="${px(step * 0.42)}">${circles}</g>`
}

// Quarter discs on a grid, denser to the right, where a title seldom reaches.
const tiles: Motif = (random, width, height) => {
  const side = height / 5
  const columns = Math.ceil(width / side)
  let discs = ''
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < 5; row++) {
      const [chance, turn, tone] = [random(), Math.floor(random() * 4) * 90, random()]
      if (chance > (column / columns) ** 1.6) continue
      const place = `translate(${px((column + 0.5) * side)} ${px((row + 0.5) * side)}) rotate(${turn})`
      const half = side / 2
      const disc = `M${px(-half)} ${px(-half)}h${px(side)}a${px(side)} ${px(side)} 0 0 1 ${px(-side)} ${px(side)}z`
      const paint = tone < 0.5 ? 'fill="#fff" opacity=".07"' : 'fill="#000" opacity=".11"'
      discs += `<path transform="${place}" d="${disc}" ${paint}/>`
    }
  }
  return discs
}

const motifs: readonly Motif[] = [ridges, rings, tiles]

const px = (value: number) => value.toFixed(1)
