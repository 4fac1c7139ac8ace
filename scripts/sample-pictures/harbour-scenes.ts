import { at, circle, ellipse, houses, lantern, line, path, rect, ripples, scene, sequence, sky } from './shapes.ts'

const wood = ['#b5482f', '#e2b04a', '#f0e6d4', '#c9703f', '#7d8f6a', '#a33a33', '#dfe3dc']

/** Hills behind the town, as in a fjord. */
const hills = (far: string, near: string): string =>
  path(
    'M0 330C90 240 170 250 240 190C320 130 400 230 480 210C580 180 640 110 740 160C820 200 880 190 960 240V420H0Z',
    far,
  ) + path('M0 360C120 300 220 340 330 290C430 250 520 320 640 280C760 240 860 300 960 290V430H0Z', near)

const mooredBoat = (hull: string, sail: string): string =>
  path('M-70 0L70 0C62 26 48 34 36 34L-40 34C-54 34 -66 22 -70 0Z', hull) +
  rect(-74, -6, 148, 8, '#f0e6d4', 4) +
  rect(-3, -130, 6, 126, '#6b4a33', 3) +
  path('M8 -124C44 -90 52 -50 54 -18L8 -18Z', sail) +
  rect(-44, -34, 34, 28, '#f0e6d4', 5) +
  rect(-36, -27, 18, 12, '#7fa9b8', 3)

const gull = (x: number, y: number, color: string): string =>
  line(
    `M${x - 16} ${y - 5}C${x - 9} ${y - 13} ${x - 3} ${y - 8} ${x} ${y}C${x + 3} ${y - 8} ${x + 9} ${y - 13} ${x + 16} ${y - 5}`,
    color,
    3.5,
  )

export const quayInTheMorning = (): string =>
  scene(
    sky('#a9cbe0', '#fbe7cf') +
      circle(720, 190, 58, '#fff4d6') +
      circle(720, 190, 92, '#fff4d6', 0.35) +
      hills('#b3c3c9', '#8fa8a5') +
      houses(440, wood, '#4b6675', '#5b3d31') +
      rect(0, 440, 960, 28, '#a7937c') +
      [60, 220, 380, 540, 700, 860].map((x) => rect(x, 452, 16, 46, '#6b5a4a', 6)).join('') +
      rect(0, 468, 960, 172, '#6fa3ab') +
      [80, 250, 420, 590, 760]
        .map((x) => rect(x, 470, 88, 74, '#d9b48a', 0))
        .join('')
        .replaceAll('#d9b48a"', '#5f929c" opacity=".55"') +
      ripples(490, 630, '#d7ecec', 3) +
      at(250, 512, mooredBoat('#27406b', '#fbf2e0'), 1.1) +
      at(640, 538, mooredBoat('#a8452f', '#f6dfb2'), 1.35) +
      gull(420, 130, '#ffffff') +
      gull(470, 160, '#ffffff') +
      gull(180, 90, '#ffffff'),
  )

export function harbourAtDusk(): string {
  const next = sequence(11)
  const floating = Array.from({ length: 26 }, () => [30 + next() * 900, 470 + next() ** 0.8 * 150] as const)
    .sort((a, b) => a[1] - b[1])
    .map(([x, y]) => {
      const scale = 0.3 + ((y - 470) / 150) * 0.75
      return ellipse(x, y + 26 * scale, 26 * scale, 5 * scale, '#ffcf73', 0.55) + lantern(x, y, scale)
    })
  const flying = [
    [150, 120, 0.7],
    [330, 70, 0.5],
    [520, 150, 0.8],
    [690, 60, 0.45],
    [800, 130, 0.65],
  ] as const
  return scene(
    sky('#1f2a56', '#e08a6a') +
      hills('#3b3f6d', '#2b3159') +
      houses(440, ['#5a3146', '#6d4a4c', '#4b4566', '#5b3a4f', '#43466a'], '#ffd27a', '#2a2342') +
      rect(0, 440, 960, 22, '#2f2843') +
      rect(0, 462, 960, 178, '#2b3a66') +
      ripples(470, 630, '#e9a070', 5, 60) +
      flying.map(([x, y, scale]) => lantern(x, y, scale)).join('') +
      floating.join(''),
  )
}

export const ferryInStorm = (): string =>
  scene(
    sky('#31445c', '#93a8b0') +
      path('M0 150C90 90 200 170 300 110C380 60 470 150 560 100C660 50 760 140 960 70V0H0Z', '#26364b') +
      path('M0 210C140 150 240 220 380 170C520 120 620 210 960 130V60C700 120 500 40 0 130Z', '#3d5268') +
      line('M690 120L650 200L684 200L640 290', '#ffe6a3', 7) +
      Array.from({ length: 46 }, (_, nth) => {
        const x = (nth * 89) % 980
        const y = (nth * 137) % 460
        return line(`M${x} ${y}l-14 34`, '#c7d6db', 2.5, 0.45)
      }).join('') +
      path('M0 420C120 380 200 440 320 410C440 380 520 440 640 410C760 380 860 430 960 400V640H0Z', '#4a7a85') +
      at(
        470,
        420,
        path('M-250 0L250 0C236 66 200 92 176 92L-186 92C-222 92 -244 50 -250 0Z', '#24324f') +
          rect(-254, -12, 508, 16, '#c6533b', 6) +
          rect(-190, -82, 340, 72, '#f4ecdd', 10) +
          rect(-130, -142, 200, 64, '#f4ecdd', 10) +
          rect(-20, -206, 52, 66, '#c6533b', 4) +
          rect(-20, -186, 52, 14, '#f4ecdd') +
          [-170, -116, -62, -8, 46, 100].map((x) => rect(x, -60, 32, 26, '#ffd98a', 6)).join('') +
          [-112, -64, -16, 32].map((x) => rect(x, -126, 30, 24, '#ffd98a', 5)).join('') +
          rect(-160, -170, 6, 90, '#24324f') +
          circle(-157, -176, 9, '#ffe6a3') +
          circle(-157, -176, 26, '#ffe6a3', 0.3),
        1,
        -6,
      ) +
      path('M0 490C110 440 220 520 340 476C460 440 560 520 680 480C790 446 880 500 960 470V640H0Z', '#356470') +
      path('M0 560C140 510 240 590 380 548C520 510 640 590 780 548C860 526 920 556 960 548V640H0Z', '#274f5b') +
      line(
        'M60 500C100 480 140 486 170 500M560 496C600 470 650 476 690 492M300 560C350 536 390 540 430 556',
        '#e6f0ee',
        6,
        0.8,
      ),
  )

export const lighthouse = (): string =>
  scene(
    sky('#26336a', '#f0a376') +
      circle(250, 380, 66, '#ffd98a', 0.9) +
      path('M610 168L0 60V250Z', '#fff0c4').replace('/>', ' opacity=".28"/>') +
      path('M610 168L960 90V230Z', '#fff0c4').replace('/>', ' opacity=".28"/>') +
      rect(0, 430, 960, 210, '#3f5286') +
      ripples(440, 630, '#f3b98c', 9, 60) +
      path('M420 640C430 540 500 500 560 470L680 470C740 500 800 560 830 640Z', '#2a2f52') +
      path('M574 476L588 200L634 200L648 476Z', '#f4ecdd') +
      path(
        'M586 238L636 238L638.500 290L583.500 290ZM581 342L641 342L643.500 396L578.500 396ZM576 448L646 448L648 476L574 476Z',
        '#c6533b',
      ) +
      rect(578, 190, 66, 12, '#24324f', 4) +
      rect(592, 150, 38, 42, '#ffe6a3', 4) +
      path('M584 152L611 122L638 152Z', '#c6533b') +
      circle(611, 170, 46, '#ffe6a3', 0.35) +
      rect(690, 426, 96, 54, '#e8dcc6', 3) +
      path('M680 430L738 386L796 430Z', '#24324f') +
      rect(708, 444, 18, 20, '#ffd27a', 2) +
      rect(750, 444, 18, 20, '#ffd27a', 2) +
      gull(200, 180, '#f4ecdd') +
      gull(260, 220, '#f4ecdd'),
  )

export function lastTrain(): string {
  const next = sequence(21)
  const stars = Array.from({ length: 50 }, () =>
    circle(Math.round(next() * 960), Math.round(next() * 300), 1 + next() * 2, '#fff0c4', 0.8),
  )
  const windows = [0, 1, 2, 3, 4, 5].map((nth) => {
    const x = 100 + nth * 116
    const sitter = nth === 1 || nth === 3 || nth === 4
    return (
      rect(x, 366, 84, 62, '#ffe0a0', 8) +
      (sitter
        ? circle(x + 42, 400, 13, '#3a3357') +
          path(`M${x + 18} 428C${x + 20} 412 ${x + 64} 412 ${x + 66} 428Z`, '#3a3357')
        : '')
    )
  })
  return scene(
    sky('#151d42', '#3d4a7d') +
      stars.join('') +
      circle(790, 110, 44, '#fff0c4') +
      circle(772, 98, 40, '#1b2450') +
      path('M0 430C120 320 240 380 360 300C480 230 600 340 720 290C820 250 900 300 960 320V640H0Z', '#2a3362') +
      path('M0 470C200 400 420 450 620 410C780 380 880 420 960 430V640H0Z', '#212a54') +
      rect(0, 520, 960, 120, '#161c3c') +
      rect(0, 510, 960, 8, '#6b739d') +
      path(
        'M40 330C40 318 50 310 62 310L760 310C830 310 880 380 900 450C906 474 896 490 880 490L56 490C46 490 40 482 40 474Z',
        '#0f6b6b',
      ) +
      rect(40, 446, 858, 12, '#f2c66e') +
      windows.join('') +
      path('M800 360L836 360C852 380 862 404 868 428L800 428Z', '#ffe0a0') +
      path('M890 448L960 430V520L896 470Z', '#ffe6a3').replace('/>', ' opacity=".5"/>') +
      [140, 230, 640, 730].map((x) => circle(x, 496, 22, '#0b1029') + circle(x, 496, 9, '#6b739d')).join(''),
  )
}

export const seal = (): string =>
  scene(
    sky('#c7d7dc', '#e6dccb') +
      path('M0 240C160 170 300 220 460 180C640 130 800 210 960 170V330H0Z', '#a3b7b8') +
      rect(0, 300, 960, 340, '#6d98a0') +
      ripples(310, 460, '#d7ecec', 13, 34) +
      path('M0 470H960V640H0Z', '#a08b74') +
      [0, 160, 320, 480, 640, 800].map((x) => rect(x, 474, 154, 80, '#b39d85', 4)).join('') +
      [-80, 80, 240, 400, 560, 720, 880].map((x) => rect(x, 560, 154, 90, '#aa947c', 4)).join('') +
      path(
        'M210 486C230 400 330 372 440 392C520 320 590 286 640 300C700 312 712 372 690 408C720 440 700 480 640 486L300 500C270 520 220 540 186 524C196 510 206 500 210 486Z',
        '#5f6a70',
      ) +
      path('M440 470C520 430 600 430 668 436C690 452 680 480 640 486L430 494Z', '#8b979c') +
      circle(652, 346, 11, '#1f2326') +
      circle(656, 342, 3.5, '#fff') +
      ellipse(694, 366, 10, 8, '#1f2326') +
      line('M688 382C678 392 664 392 656 386M676 372L640 378M676 378L644 390', '#2c3236', 3) +
      path('M520 480C540 500 560 520 600 516C590 496 580 486 566 476Z', '#4e585d') +
      [
        [300, 430, 9],
        [350, 416, 6],
        [390, 440, 8],
        [330, 460, 5],
        [450, 420, 6],
      ]
        .map(([x = 0, y = 0, r = 0]) => circle(x, y, r, '#4e585d'))
        .join(''),
  )
