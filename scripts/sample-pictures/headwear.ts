import { circles, type Draw, path, strand } from './hair-shapes.ts'

/** Worn in place of hair. */
export const headwear = {
  /** A knitted cap. */
  beanie: (base, light) => ({
    back: '',
    front:
      path('M66 74C66 44 80 30 100 30C120 30 134 44 134 74Z', base) +
      `<rect x="62" y="66" width="76" height="15" rx="7" fill="${light}"/>` +
      [74, 84, 94, 104, 114, 124].map((x) => strand(`M${x} 69L${x} 78`, base, 1.6)).join('') +
      circles(light, [[100, 27, 7]]),
  }),
  /** A scarf around head and neck. */
  hijab: (base, light) => ({
    back: path('M52 186C44 120 48 32 100 32C152 32 156 120 148 186Z', base),
    front:
      `<path fill-rule="evenodd" d="M57 176C48 110 54 34 100 34C146 34 152 110 143 176C128 164 114 158 100 158C86 158 72 164 57 176ZM100 56C82 56 71 70 71 92C71 116 84 134 100 134C116 134 129 116 129 92C129 70 118 56 100 56Z" fill="${base}"/>` +
      strand('M72 116C82 140 112 144 132 128', light, 2.5) +
      strand('M66 70C72 54 86 46 100 46C112 46 124 52 131 64', light, 2.5) +
      strand('M70 136C84 152 112 156 136 146', light, 2.5),
  }),
  /** A wound scarf on the head. */
  headwrap: (base, light) => ({
    back: '',
    front:
      path('M64 82C52 44 74 20 102 20C132 20 148 46 136 82C122 66 78 66 64 82Z', base) +
      path('M112 34C124 16 142 22 138 36C134 48 120 48 112 34Z', light) +
      strand('M66 68C82 52 116 50 134 64', light, 3) +
      strand('M76 44C90 32 108 32 118 36', light, 3),
  }),
} satisfies Record<string, Draw>
