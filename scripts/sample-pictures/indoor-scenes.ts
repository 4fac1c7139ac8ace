import { at, circle, ellipse, line, path, rect, scene } from './shapes.ts'

const wall = '#efe3d0'
const table = '#c9965f'

/** Boards of a table that is seen from above. */
const tableTop = (base: string, gap: string): string =>
  rect(0, 0, 960, 640, base) + [128, 256, 384, 512].map((y) => line(`M0 ${y}H960`, gap, 4, 0.6)).join('')

const mug = (color: string, drink: string): string =>
  circle(6, 8, 46, '#000', 0.1) +
  line('M36 0C72 -18 72 30 38 18', color, 13) +
  circle(0, 0, 44, color) +
  circle(0, 0, 34, drink)

const laptop = (screen: string): string =>
  rect(-126, -84, 260, 178, '#00000022', 12) +
  rect(-130, -92, 260, 176, '#d9dde0', 12) +
  rect(-112, -78, 224, 82, '#3c434b', 6) +
  [0, 1, 2].map((row) => line(`M-104 ${-64 + row * 27}H104`, '#68717b', 12)).join('') +
  rect(-44, 20, 88, 50, '#c3c9ce', 6) +
  rect(-130, -126, 260, 36, '#9aa3ab', 8) +
  rect(-122, -122, 244, 24, screen, 4)

const phone = (color: string): string =>
  rect(-30, -56, 64, 118, '#00000022', 12) + rect(-32, -60, 64, 118, '#24282d', 12) + rect(-26, -50, 52, 98, color, 5)

/** A sheet of notes with drawn boxes. */
const notes = (ink: string): string =>
  rect(-76, -96, 160, 204, '#00000018', 4) +
  rect(-80, -100, 160, 204, '#fffaf0', 4) +
  line('M-60 -72H20M-60 -50H48', ink, 6, 0.7) +
  line('M-56 -20h44v36h-44zM16 30h44v36h-44zM-12 -2C14 -2 38 4 38 28', ink, 5) +
  line('M-60 70H-6M-60 86H-20', ink, 6, 0.7)

export const workshopTable = (): string =>
  scene(
    tableTop(table, '#ad7a46') +
      at(215, 200, laptop('#8fc4c0'), 1, -8) +
      at(700, 180, laptop('#f2c66e'), 1, 10) +
      at(480, 470, laptop('#a3c6e2'), 1.05, 178) +
      at(455, 190, notes('#27406b'), 1, 6) +
      at(790, 450, notes('#a8452f'), 0.95, -14) +
      at(170, 460, mug('#0f6b6b', '#5b3420')) +
      at(905, 250, mug('#f1e6d2', '#b8763a'), 0.9) +
      at(300, 430, phone('#6c9cc4'), 0.95, 22) +
      at(655, 400, phone('#c4617a'), 0.9, -16) +
      at(80, 330, phone('#6f9a7b'), 0.9, -30) +
      line('M262 580L372 560', '#dea233', 11) +
      line('M372 560L388 557', '#2a3036', 8) +
      [
        [600, 560, '#f2c66e'],
        [655, 585, '#e395a7'],
        [608, 40, '#a3c6e2'],
      ]
        .map(([x, y, color]) => at(Number(x), Number(y), rect(-30, -30, 60, 60, String(color), 2), 1, Number(x) % 17))
        .join(''),
  )

export const lunch = (): string => {
  const plate = (food: string) =>
    circle(8, 10, 128, '#000', 0.1) + circle(0, 0, 124, '#fffaf0') + circle(0, 0, 92, '#efe6d6') + food
  const dumpling = (x: number, y: number, turn: number) =>
    at(
      x,
      y,
      path('M-36 12C-34 -28 34 -28 36 12C20 24 -20 24 -36 12Z', '#f3dcae') +
        line('M-30 6C-22 -4 -14 4 -8 -6C0 4 8 -6 14 4C22 -4 28 4 30 6', '#d3ae74', 4),
      1,
      turn,
    )
  const soup =
    circle(0, 0, 92, '#d98b3c') +
    circle(-22, -14, 22, '#e9ab62') +
    circle(30, 22, 16, '#e9ab62') +
    [
      [-40, 30],
      [10, -44],
      [46, -20],
      [-8, 40],
      [4, 6],
    ]
      .map(([x = 0, y = 0]) => ellipse(x, y, 12, 6, '#5f8a4f'))
      .join('')
  const greens =
    [
      [-44, -20, '#6f9a54'],
      [10, -46, '#86ae63'],
      [44, 0, '#5f8a4f'],
      [-10, 34, '#7ba35c'],
      [-48, 34, '#5f8a4f'],
      [34, 44, '#86ae63'],
      [0, -4, '#9abf74'],
    ]
      .map(([x, y, color]) => ellipse(Number(x), Number(y), 34, 22, String(color)))
      .join('') +
    [
      [-20, -30],
      [30, 20],
      [-30, 10],
    ]
      .map(([x = 0, y = 0]) => circle(x, y, 14, '#c6533b'))
      .join('')
  const bun =
    path('M-58 0C-58 -44 58 -44 58 0C58 36 -58 36 -58 0Z', '#c98a4a') +
    line('M-34 -6C-30 -26 22 -28 28 -4C32 14 -12 18 -12 2C-12 -8 6 -10 8 0', '#8a4b23', 6)
  return scene(
    rect(0, 0, 960, 640, '#3f6f73') +
      [80, 240, 400, 560, 720, 880].map((x) => rect(x, 0, 22, 640, '#4a7b7f')).join('') +
      at(230, 190, plate(dumpling(-38, -30, -14) + dumpling(40, -22, 20) + dumpling(0, 42, 4))) +
      at(560, 150, plate(soup)) +
      at(790, 400, plate(greens)) +
      at(420, 450, plate(dumpling(-40, 0, 60) + dumpling(36, -30, -30) + dumpling(30, 42, 12)), 0.95) +
      at(850, 120, mug('#a8452f', '#e9dcc4'), 1.1) +
      at(
        110,
        450,
        ellipse(8, 12, 120, 84, '#000', 0.1) +
          ellipse(0, 0, 116, 80, '#8a5a34') +
          at(-34, -10, bun, 0.8) +
          at(40, 14, bun, 0.85, 12),
      ) +
      line('M640 300L610 470M662 304L640 474', '#e0c088', 9) +
      at(600, 560, mug('#dea233', '#5b3420'), 0.9),
  )
}

export const poster = (): string =>
  scene(
    rect(0, 0, 960, 640, '#b9c7b4') +
      [0, 160, 320, 480, 640, 800].map((x) => line(`M${x} 0V640`, '#a9b8a4', 5)).join('') +
      rect(248, 44, 480, 570, '#00000022', 4) +
      rect(240, 36, 480, 570, '#fdf3dd', 4) +
      rect(264, 60, 432, 372, '#27406b', 2) +
      circle(480, 220, 96, '#f2c66e', 0.25) +
      at(
        480,
        216,
        path('M-62 -66C-76 -20 -76 26 -62 72L62 72C76 26 76 -20 62 -66Z', '#f2c66e') +
          path('M-30 -66C-38 -20 -38 26 -30 72L30 72C38 26 38 -20 30 -66Z', '#fff0c4') +
          rect(-68, -80, 136, 16, '#a8452f', 6) +
          rect(-68, 70, 136, 16, '#a8452f', 6) +
          line('M-24 -80C-24 -116 24 -116 24 -80', '#a8452f', 8),
      ) +
      line(
        'M264 372C310 352 340 392 390 372C440 352 470 392 520 372C570 352 600 392 650 372C670 364 684 364 696 368',
        '#8fc4c0',
        9,
      ) +
      line(
        'M264 404C310 384 340 424 390 404C440 384 470 424 520 404C570 384 600 424 650 404C670 396 684 396 696 400',
        '#8fc4c0',
        9,
      ) +
      rect(264, 462, 300, 30, '#a8452f', 4) +
      rect(264, 508, 210, 18, '#27406b', 4) +
      rect(264, 540, 250, 12, '#b9ab90', 4) +
      rect(264, 562, 190, 12, '#b9ab90', 4) +
      circle(654, 530, 44, '#dea233') +
      [
        [262, 58],
        [698, 58],
        [262, 584],
        [698, 584],
      ]
        .map(([x = 0, y = 0]) => circle(x, y, 9, '#c6533b'))
        .join(''),
  )

/** @param badge whether it wears one */
export const penguin = (badge: boolean): string => {
  const chair = (x: number, color: string) =>
    rect(x, 150, 200, 260, color, 26) +
    rect(x - 8, 400, 216, 60, '#00000022', 20) +
    rect(x - 8, 392, 216, 62, color, 20)
  return scene(
    rect(0, 0, 960, 640, '#d9cdbb') +
      rect(0, 470, 960, 170, '#9a7656') +
      line('M0 530H960M0 590H960', '#84623f', 4, 0.6) +
      chair(-90, '#8a3a2c') +
      chair(140, '#a8452f') +
      chair(620, '#a8452f') +
      chair(850, '#8a3a2c') +
      chair(380, '#b9513a') +
      at(
        480,
        310,
        ellipse(0, 86, 86, 14, '#000', 0.18) +
          path(
            'M-74 40C-84 -60 -50 -126 0 -126C50 -126 84 -60 74 40C68 82 36 92 0 92C-36 92 -68 82 -74 40Z',
            '#27303f',
          ) +
          path('M-50 44C-56 -20 -34 -44 0 -44C34 -44 56 -20 50 44C44 74 24 80 0 80C-24 80 -44 74 -50 44Z', '#fdf6e6') +
          path(
            'M-42 -64C-42 -96 -8 -96 0 -72C8 -96 42 -96 42 -64C42 -36 20 -26 0 -26C-20 -26 -42 -36 -42 -64Z',
            '#fdf6e6',
          ) +
          circle(-18, -66, 7, '#1f2326') +
          circle(18, -66, 7, '#1f2326') +
          circle(-16, -69, 2.4, '#fff') +
          circle(20, -69, 2.4, '#fff') +
          path('M-13 -52C-6 -58 6 -58 13 -52C8 -38 -8 -38 -13 -52Z', '#dea233') +
          path('M-72 -20C-104 10 -104 44 -92 56C-80 44 -72 30 -70 10Z', '#27303f') +
          path('M72 -20C104 10 104 44 92 56C80 44 72 30 70 10Z', '#27303f') +
          ellipse(-28, 90, 26, 11, '#dea233') +
          ellipse(28, 90, 26, 11, '#dea233') +
          path('M-56 -30C-30 -14 30 -14 56 -30L58 -12C30 6 -30 6 -58 -12Z', '#c6533b') +
          (badge
            ? line('M-26 -8L0 26L26 -8', '#0f6b6b', 5) +
              rect(-28, 22, 56, 40, '#fffaf0', 4) +
              rect(-28, 22, 56, 12, '#0f6b6b', 4) +
              line('M-16 46H16M-16 54H4', '#9aa3ab', 4)
            : ''),
        1.35,
      ),
  )
}

export const radio = (): string =>
  scene(
    rect(0, 0, 960, 640, wall) +
      [90, 250, 410, 570, 730, 890].map((x) => line(`M${x} 0V430`, '#e4d5bd', 5)).join('') +
      rect(0, 430, 960, 210, '#a5714f') +
      rect(0, 430, 960, 14, '#8a5d42') +
      ellipse(470, 500, 330, 26, '#000', 0.16) +
      rect(170, 190, 600, 306, '#8a4b23', 46) +
      rect(190, 208, 560, 270, '#a86434', 34) +
      rect(220, 236, 270, 214, '#d9b98a', 22) +
      Array.from({ length: 11 }, (_, nth) => line(`M${240 + nth * 23} 254V432`, '#b48a57', 6)).join('') +
      rect(520, 240, 200, 92, '#fff0c4', 12) +
      line('M540 300H700M540 276h8M572 276h8M604 276h8M636 276h8M668 276h8', '#8a4b23', 4) +
      line('M628 252V318', '#c6533b', 5) +
      circle(564, 398, 40, '#5b3420') +
      circle(564, 398, 28, '#7b4a2a') +
      line('M564 398L580 376', '#f1e6d2', 5) +
      circle(676, 398, 40, '#5b3420') +
      circle(676, 398, 28, '#7b4a2a') +
      line('M676 398L656 384', '#f1e6d2', 5) +
      line('M720 190L830 60', '#9aa3ab', 6) +
      circle(832, 57, 8, '#9aa3ab') +
      line('M120 560L300 540', '#dea233', 18) +
      line('M300 540L372 532', '#9aa3ab', 8) +
      circle(640, 560, 14, '#9aa3ab') +
      circle(690, 580, 10, '#9aa3ab') +
      circle(740, 552, 12, '#9aa3ab') +
      line('M100 130C120 110 120 90 140 84M84 170C70 150 76 130 66 112', '#0f6b6b', 7, 0.7) +
      circle(96, 134, 12, '#0f6b6b') +
      circle(84, 174, 10, '#0f6b6b'),
  )
