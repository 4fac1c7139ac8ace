import { circles, type Draw, type Hair, path, strand } from './hair-shapes.ts'
import { headwear } from './headwear.ts'

/** The hair on a head, down to the ears. */
const scalp = 'M67 98C61 62 78 38 100 38C122 38 139 62 133 98C131 84 128 76 124 70L76 70C72 76 69 84 67 98Z'

const styles = {
  short: (base, light) => ({
    back: '',
    front:
      path(
        'M67 94C60 58 78 37 101 37C126 37 140 60 133 94C131 82 128 75 122 68C110 71 92 70 80 64C73 72 69 82 67 94Z',
        base,
      ) + strand('M84 51C94 45 108 44 117 50', light),
  }),
  sidePart: (base, light) => ({
    back: '',
    front:
      path(
        'M67 96C58 56 80 36 102 36C128 36 141 60 133 96C131 83 127 74 121 66C106 70 92 66 84 57C80 68 70 76 67 96Z',
        base,
      ) + strand('M86 53C96 61 110 63 121 60', light),
  }),
  quiff: (base, light) => ({
    back: '',
    front:
      path(
        'M68 92C62 66 68 52 78 47C80 34 104 27 119 34C134 38 139 62 132 92C131 80 128 73 123 67C112 66 104 60 98 62C88 66 78 64 76 68C71 74 69 82 68 92Z',
        base,
      ) + strand('M86 48C94 41 106 39 116 44', light, 2.5),
  }),
  buzz: (base) => ({
    back: '',
    front: `<path d="M69 88C63 58 80 42 100 42C120 42 137 58 131 88C129 78 126 71 121 66C108 62 92 62 79 66C74 71 71 78 69 88Z" fill="${base}" opacity=".9"/>`,
  }),
  receding: (base) => ({
    back: '',
    front:
      path('M67 100C60 84 62 64 75 55C78 62 73 72 72 82C71 88 69 94 67 100Z', base) +
      path('M133 100C140 84 138 64 125 55C122 62 127 72 128 82C129 88 131 94 133 100Z', base),
  }),
  bald: () => ({ back: '', front: '' }),
  pixie: (base, light) => ({
    back: path(
      'M66 104C58 62 76 36 101 36C127 36 142 62 134 104C130 112 126 108 126 100L74 100C74 108 70 112 66 104Z',
      base,
    ),
    front:
      path(
        'M68 90C62 56 82 40 102 40C124 40 137 58 132 88C128 80 126 74 123 70C112 78 88 80 73 72C71 78 69 84 68 90Z',
        base,
      ) + strand('M80 60C90 67 104 68 114 64', light),
  }),
  bob: (base, light) => ({
    back: path(
      'M62 128C50 70 70 34 100 34C130 34 150 70 138 128C132 136 120 134 116 128L84 128C80 134 68 136 62 128Z',
      base,
    ),
    front:
      path(
        'M66 96C62 58 82 40 100 40C120 40 138 56 134 98C131 84 126 74 118 64C104 72 84 72 75 70C70 78 67 86 66 96Z',
        base,
      ) + strand('M80 58C90 63 104 63 116 57', light),
  }),
  fringe: (base, light) => ({
    back: path(
      'M61 132C52 66 70 34 100 34C130 34 148 66 139 132C132 138 122 136 118 130L82 130C78 136 68 138 61 132Z',
      base,
    ),
    front:
      path(
        'M66 98C62 56 82 40 100 40C118 40 138 56 134 98C132 90 130 84 128 78C110 81 90 81 72 78C70 84 68 90 66 98Z',
        base,
      ) +
      strand('M86 52C84 60 82 68 82 74', light) +
      strand('M100 50L100 76', light) +
      strand('M114 52C116 60 118 68 118 74', light),
  }),
  long: (base, light) => ({
    back: path('M58 172C52 130 52 34 100 34C148 34 148 130 142 172C130 178 70 178 58 172Z', base),
    front:
      path('M66 104C60 60 80 39 101 39C122 39 140 60 134 104C132 86 122 72 101 58C84 70 69 84 66 104Z', base) +
      strand('M96 46C84 54 76 64 72 76', light) +
      strand('M107 46C118 54 126 64 129 76', light),
  }),
  sideLong: (base, light) => ({
    back: path(
      'M60 168C54 128 50 34 101 34C150 34 146 120 146 176C130 180 118 172 114 160L78 150C74 164 66 170 60 168Z',
      base,
    ),
    front:
      path(
        'M66 102C60 56 82 38 103 38C126 38 140 62 134 104C133 90 128 80 118 70C104 70 92 64 86 56C82 72 70 82 66 102Z',
        base,
      ) + strand('M90 52C100 60 114 62 124 70', light),
  }),
  wavy: (base, light) => ({
    back: path(
      'M60 150C50 146 58 136 54 126C48 116 58 108 57 96C54 60 74 34 101 34C128 34 146 60 143 96C142 108 152 116 146 126C142 136 150 146 140 150C130 156 124 150 118 146L82 146C76 150 70 156 60 150Z',
      base,
    ),
    front:
      path(
        'M66 100C60 58 82 38 102 38C122 38 140 58 134 100C132 88 128 78 120 70C110 70 100 66 94 58C88 70 72 78 66 100Z',
        base,
      ) +
      strand('M98 50C108 60 118 62 126 72', light) +
      strand('M88 54C82 62 76 68 73 76', light),
  }),
  bun: (base, light) => ({
    back: circles(base, [[100, 30, 16]]) + strand('M91 28C96 22 105 22 110 29', light),
    front:
      path('M67 96C60 58 80 38 100 38C120 38 140 58 133 96C131 80 122 68 100 62C78 68 69 80 67 96Z', base) +
      strand('M100 42L100 58', light) +
      strand('M86 46C82 52 79 58 77 64', light) +
      strand('M114 46C118 52 121 58 123 64', light),
  }),
  lowBun: (base, light) => ({
    back: circles(base, [[133, 118, 15]]) + path(scalp, base),
    front:
      path(
        'M67 98C60 58 80 38 100 38C120 38 140 58 133 98C131 84 126 74 116 64C106 60 96 58 90 54C84 68 70 80 67 98Z',
        base,
      ) + strand('M92 50C102 56 114 58 124 70', light),
  }),
  ponytail: (base, light) => ({
    back: path(
      'M120 44C146 40 160 66 154 98C151 118 160 128 154 140C142 146 136 128 138 110C140 90 134 70 120 62Z',
      base,
    ),
    front:
      path(
        'M67 96C60 58 80 38 101 38C122 38 140 58 133 96C131 82 126 72 118 66C104 62 92 62 80 66C73 74 69 84 67 96Z',
        base,
      ) + strand('M82 56C96 46 112 46 124 56', light),
  }),
  curls: (base, light) => ({
    back: circles(base, [
      [72, 62, 18],
      [68, 82, 16],
      [66, 102, 14],
      [86, 46, 18],
      [106, 42, 19],
      [124, 52, 18],
      [132, 72, 17],
      [134, 94, 15],
      [132, 108, 12],
    ]),
    front:
      circles(base, [
        [76, 66, 11],
        [88, 58, 12],
        [102, 54, 12],
        [115, 58, 12],
        [125, 68, 10],
      ]) +
      circles(light, [
        [86, 48, 4],
        [104, 44, 4.5],
        [121, 54, 4],
        [73, 68, 3.5],
        [131, 76, 3.5],
      ]),
  }),
  longCurls: (base, light) => ({
    back: circles(base, [
      [70, 62, 20],
      [62, 84, 19],
      [58, 108, 19],
      [62, 132, 18],
      [86, 44, 19],
      [110, 42, 20],
      [130, 58, 19],
      [138, 82, 19],
      [142, 108, 19],
      [138, 132, 18],
      [72, 148, 14],
      [128, 148, 14],
    ]),
    front:
      circles(base, [
        [74, 68, 11],
        [86, 58, 12],
        [100, 53, 12],
        [114, 57, 12],
        [126, 68, 11],
      ]) +
      circles(light, [
        [84, 46, 4],
        [108, 44, 4.5],
        [64, 84, 4],
        [60, 110, 4],
        [136, 82, 4],
        [140, 110, 4],
      ]),
  }),
  afro: (base, light) => ({
    back: circles(base, [
      [100, 66, 42],
      [66, 74, 20],
      [134, 74, 20],
      [76, 46, 20],
      [124, 46, 20],
      [100, 34, 20],
      [64, 94, 14],
      [136, 94, 14],
    ]),
    front:
      path(
        'M67 92C60 60 78 40 100 40C122 40 140 60 133 92C131 82 126 74 117 70C106 65 94 65 83 70C74 74 69 82 67 92Z',
        base,
      ) +
      circles(light, [
        [80, 44, 3],
        [98, 32, 3],
        [118, 42, 3],
        [66, 66, 3],
        [134, 66, 3],
        [90, 50, 2.4],
        [110, 52, 2.4],
      ]),
  }),
  locs: (base, light) => ({
    back: [60, 68, 76, 124, 132, 140]
      .map((x, i) =>
        strand(`M${100 + (x - 100) * 0.6} 60C${x} 70 ${x + (i < 3 ? -3 : 3)} 100 ${x} ${i % 2 ? 146 : 138}`, base, 11),
      )
      .join(''),
    front:
      path(
        'M66 96C60 56 80 36 100 36C120 36 140 56 134 96C131 84 128 76 122 69C108 64 92 64 78 69C72 76 69 84 66 96Z',
        base,
      ) +
      strand('M88 42C84 50 82 58 81 66', light) +
      strand('M100 40L100 64', light) +
      strand('M112 42C116 50 118 58 119 66', light),
  }),
  braids: (base, light) => ({
    back: [66, 134]
      .map((x, side) =>
        circles(
          base,
          [0, 1, 2, 3, 4, 5].map((i) => [x + (side ? 1 : -1) * (i % 2 ? 2 : -1), 100 + i * 13, 9 - i * 0.6] as const),
        ),
      )
      .join(''),
    front:
      path('M66 104C60 58 80 38 100 38C120 38 140 58 134 104C132 84 122 70 100 60C78 70 68 84 66 104Z', base) +
      strand('M100 42L100 58', light) +
      strand('M88 46C80 54 75 64 72 76', light) +
      strand('M112 46C120 54 125 64 128 76', light),
  }),
  ...headwear,
} satisfies Record<string, Draw>

export type HairStyle = keyof typeof styles

/** @param style with its colours, or those of a cap or scarf */
export const drawHair = (style: HairStyle, { base, light }: { base: string; light: string }): Hair =>
  styles[style](base, light)
