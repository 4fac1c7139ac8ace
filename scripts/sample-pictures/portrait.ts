import { drawHair, type HairStyle } from './hair.ts'
import { type Cloth, cloths, type HairColor, hairs, type Skin, skins, type Wall, walls } from './palette.ts'

/** The looks of a person. */
export interface Looks {
  skin: Skin
  hair: HairColor
  style: HairStyle
  clothes: Cloth
  cut: Cut
  wall: Wall
  /** The colour of a cap or scarf, which is worn in place of hair. */
  headwear?: Cloth
  beard?: 'stubble' | 'short' | 'full' | 'moustache' | 'goatee'
  glasses?: 'round' | 'square'
  earrings?: true
  /** From 0, narrow, to 1, wide. */
  jaw?: number
  smile?: 'closed' | 'open' | 'quiet'
  /** Lines of age. */
  lines?: true
  freckles?: true
}

type Cut =
  | 'crew'
  | 'collar'
  | 'turtleneck'
  | 'hoodie'
  | 'blazer'
  | 'stripes'
  | 'scarf'
  | 'dungarees'
  | 'cardigan'
  | 'dress'

const size = 200

/** A person from the shoulders up, on a wall with a round light. */
export function drawPortrait(looks: Looks): string {
  const { style, skin, wall, headwear } = looks
  const tone = skins[skin]
  const [around, light] = walls[wall]
  const color = headwear ? cloths[headwear] : hairs[looks.hair]
  const hair = drawHair(style, color)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">`,
    `<rect width="${size}" height="${size}" fill="${around}"/><circle cx="100" cy="96" r="80" fill="${light}"/>`,
    // Heads are drawn small; a face fills its picture.
    '<g transform="translate(100 110) scale(1.26) translate(-100 -100)">',
    hair.back,
    `<g transform="translate(0 -7)">${drawClothes(looks, tone)}</g>`,
    style === 'hijab' ? '' : drawEars(tone, looks),
    drawFace(looks, tone),
    hair.front,
    drawGlasses(looks),
    '</g></svg>',
  ].join('')
}

type Tone = (typeof skins)[Skin]

const shoulders = 'M24 216C24 176 46 164 82 155L118 155C154 164 176 176 176 216Z'

function drawClothes({ clothes, cut }: Looks, { base: skin, shade: skinShade }: Tone): string {
  const { base, shade, light } = cloths[clothes]
  const body = `<path d="${shoulders}" fill="${base}"/>`
  const neck = `<path d="M86 118L86 156C86 168 114 168 114 156L114 118Z" fill="${skin}"/><path d="M86 134C92 146 108 146 114 134L114 142C108 152 92 152 86 142Z" fill="${skinShade}"/>`
  const neckline = `<path d="M80 155C84 174 116 174 120 155L114 153L86 153Z" fill="${skin}"/>`
  const arms = `<path d="M52 216C52 200 54 192 58 186M148 216C148 200 146 192 142 186" fill="none" stroke="${shade}" stroke-width="2.5" stroke-linecap="round"/>`
  const shirt = (color: string) => `<path d="M80 154C84 184 116 184 120 154L128 216L72 216Z" fill="${color}"/>`
  switch (cut) {
    case 'crew':
      return `${body}${arms}<path d="M78 156C82 179 118 179 122 156" fill="none" stroke="${shade}" stroke-width="4"/>${neckline}${neck}`
    case 'stripes': {
      const lines = [172, 184, 196, 208].map(
        (y) => `<path d="M20 ${y}L180 ${y}" stroke="${light}" stroke-width="4.5"/>`,
      )
      return `<clipPath id="b"><path d="${shoulders}"/></clipPath>${body}<g clip-path="url(#b)">${lines.join('')}</g>${arms}<path d="M78 156C82 179 118 179 122 156" fill="none" stroke="${base}" stroke-width="5"/>${neckline}${neck}`
    }
    case 'collar':
      return `${body}${arms}${neckline}${neck}<path d="M82 152L74 160L88 182L100 168Z" fill="${light}"/><path d="M118 152L126 160L112 182L100 168Z" fill="${light}"/><path d="M100 169L100 216" stroke="${shade}" stroke-width="2"/><circle cx="100" cy="188" r="1.8" fill="${shade}"/><circle cx="100" cy="200" r="1.8" fill="${shade}"/>`
    case 'turtleneck':
      return `${neck}${body}${arms}<path d="M82 142C88 150 112 150 118 142L121 162C112 170 88 170 79 162Z" fill="${base}"/><path d="M80 160C90 168 110 168 120 160" fill="none" stroke="${shade}" stroke-width="2.5" stroke-linecap="round"/><path d="M82 142C88 150 112 150 118 142" fill="none" stroke="${light}" stroke-width="2"/>`
    case 'hoodie':
      return `<path d="M62 166C62 146 78 142 84 142L116 142C122 142 138 146 138 166C130 182 70 182 62 166Z" fill="${shade}"/>${body}${arms}${neckline}${neck}<path d="M78 152C66 160 70 184 94 182C88 172 82 164 82 152Z" fill="${light}"/><path d="M122 152C134 160 130 184 106 182C112 172 118 164 118 152Z" fill="${light}"/><path d="M92 180L91 202M108 180L109 202" stroke="${cloths.cream.base}" stroke-width="2.5" stroke-linecap="round"/>`
    case 'blazer':
      return `${body}${shirt(cloths.cream.base)}${neckline}${neck}<path d="M80 154C72 158 70 162 68 168L84 190L100 216L60 216L56 176C62 162 72 158 80 154Z" fill="${shade}"/><path d="M120 154C128 158 130 162 132 168L116 190L100 216L140 216L144 176C138 162 128 158 120 154Z" fill="${shade}"/>`
    case 'cardigan':
      return `${body}${arms}${shirt(light)}${neckline}${neck}<path d="M79 154C72 176 84 200 96 216M121 154C128 176 116 200 104 216" fill="none" stroke="${shade}" stroke-width="5"/>`
    case 'scarf':
      return `${body}${arms}${neck}<path d="M70 152C80 144 120 144 130 152C136 168 120 176 100 176C80 176 64 168 70 152Z" fill="${light}"/><path d="M112 170L126 216L108 216L102 174Z" fill="${light}"/><path d="M72 158C86 168 114 168 128 158" fill="none" stroke="${base}" stroke-width="2.5" stroke-linecap="round"/>`
    case 'dungarees':
      return `<path d="${shoulders}" fill="${cloths.cream.base}"/>${neckline}${neck}<path d="M62 162L72 159L80 196L68 216L58 216Z" fill="${base}"/><path d="M138 162L128 159L120 196L132 216L142 216Z" fill="${base}"/><path d="M70 192L130 192L136 216L64 216Z" fill="${base}"/><circle cx="76" cy="197" r="3.4" fill="${cloths.mustard.light}"/><circle cx="124" cy="197" r="3.4" fill="${cloths.mustard.light}"/>`
    case 'dress':
      return `${body}${arms}<path d="M76 156L100 188L124 156L114 152L86 152Z" fill="${skin}"/>${neck}<path d="M76 156L100 188L124 156" fill="none" stroke="${light}" stroke-width="3" stroke-linejoin="round"/>`
  }
}

function drawEars({ base, shade }: Tone, { earrings }: Looks): string {
  const ears = [68, 132].map(
    (x) =>
      `<ellipse cx="${x}" cy="97" rx="6" ry="9" fill="${base}"/><path d="M${x - 2} 93C${x + 2} 95 ${x + 2} 99 ${x - 1} 101" fill="none" stroke="${shade}" stroke-width="1.8" stroke-linecap="round"/>`,
  )
  const rings = earrings ? [67, 133].map((x) => `<circle cx="${x}" cy="110" r="3" fill="${cloths.mustard.base}"/>`) : []
  return [...ears, ...rings].join('')
}

function drawFace(looks: Looks, { base, shade, lip }: Tone): string {
  const { jaw = 0.5, smile = 'closed', beard, lines, freckles, hair } = looks
  const low = 12 + jaw * 10
  const face = `M69 86C69 58 80 45 100 45C120 45 131 58 131 86C131 108 ${100 + low} 134 100 134C${100 - low} 134 69 108 69 86Z`
  const brow = hairs[hair].base
  const strokes = (d: string, color: string, width: number, opacity = 1) =>
    `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}"/>`
  return [
    `<path d="${face}" fill="${base}"/>`,
    `<g fill="${lip}" opacity=".22"><circle cx="80" cy="108" r="6.5"/><circle cx="120" cy="108" r="6.5"/></g>`,
    freckles
      ? `<g fill="${shade}"><circle cx="78" cy="103" r="1"/><circle cx="83" cy="105" r="1"/><circle cx="87" cy="102" r="1"/><circle cx="113" cy="102" r="1"/><circle cx="117" cy="105" r="1"/><circle cx="122" cy="103" r="1"/></g>`
      : '',
    beard ? drawBeard(beard, low, hairs[hair].base) : '',
    `<ellipse cx="87.5" cy="94" rx="2.9" ry="3.5" fill="#26211f"/><ellipse cx="112.5" cy="94" rx="2.9" ry="3.5" fill="#26211f"/>`,
    `<circle cx="88.6" cy="92.7" r=".9" fill="#fff"/><circle cx="113.6" cy="92.7" r=".9" fill="#fff"/>`,
    strokes('M81 85C84 82 90 82 93 84M107 84C110 82 116 82 119 85', brow, 2.6),
    strokes('M100 95C99 100 97 104 97 106C98 108 101 108 103 107', shade, 2.2),
    drawMouth(smile, lip),
    lines
      ? strokes(
          'M78 98C76 99 75 100 74 102M122 98C124 99 125 100 126 102M84 112C83 115 83 117 84 119M116 112C117 115 117 117 116 119',
          shade,
          1.5,
          0.9,
        )
      : '',
  ].join('')
}

function drawMouth(smile: 'closed' | 'open' | 'quiet', lip: string): string {
  if (smile === 'open')
    return `<path d="M89 114.5C93 116 107 116 111 114.5C110 122 105 125 100 125C95 125 90 122 89 114.5Z" fill="#7c2f2f"/><path d="M90 115.2C94 116.4 106 116.4 110 115.2C109.6 118 108.6 119 107 119.2L93 119.2C91.4 119 90.4 118 90 115.2Z" fill="#fff"/>`
  const d = smile === 'quiet' ? 'M93 118C97 120 103 120 107 117.5' : 'M90 115.5C95 121 105 121 110 115.5'
  return `<path d="${d}" fill="none" stroke="${lip}" stroke-width="2.8" stroke-linecap="round"/>`
}

function drawBeard(beard: NonNullable<Looks['beard']>, low: number, color: string): string {
  const jawline = `M69 92C69 110 ${100 - low} 136 100 136C${100 + low} 136 131 110 131 92C129 104 122 108 114 109C108 110 106 111 100 111C94 111 92 110 86 109C78 108 71 104 69 92Z`
  const full = `M68 90C66 118 ${98 - low} 148 100 148C${102 + low} 148 134 118 132 90C129 104 122 108 114 109C108 110 106 110 100 110C94 110 92 110 86 109C78 108 71 104 68 90Z`
  switch (beard) {
    case 'stubble':
      return `<path d="${jawline}" fill="${color}" opacity=".2"/>`
    case 'short':
      return `<path d="${jawline}" fill="${color}" opacity=".94"/>`
    case 'full':
      return `<path d="${full}" fill="${color}"/>`
    case 'moustache':
      return `<path d="M86 114C90 108 97 108 100 110.5C103 108 110 108 114 114C108 114 104 113.5 100 113.5C96 113.5 92 114 86 114Z" fill="${color}"/>`
    case 'goatee':
      return `<path d="M88 113C91 108.5 97 109 100 110.5C103 109 109 108.5 112 113C113 126 110 137 100 137C90 137 87 126 88 113Z" fill="${color}" opacity=".94"/>`
  }
}

function drawGlasses({ glasses, skin }: Looks): string {
  if (!glasses) return ''
  // A dark frame would not be seen on dark skin.
  const color = skin === 'deep' || skin === 'dark' ? cloths.mustard.light : '#2b2a30'
  const frame =
    glasses === 'round'
      ? '<circle cx="87" cy="95" r="10.5"/><circle cx="113" cy="95" r="10.5"/>'
      : '<rect x="76" y="86.5" width="21" height="16.5" rx="4.5"/><rect x="103" y="86.5" width="21" height="16.5" rx="4.5"/>'
  return `<g fill="#fff" fill-opacity=".16" stroke="${color}" stroke-width="2.2">${frame}<path d="M97.5 93C99 91.5 101 91.5 102.5 93M76.5 92L69 90M123.5 92L131 90" fill="none"/></g>`
}
