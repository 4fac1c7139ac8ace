import { at, circle, ellipse, fromBehind, line, path, rect, scene } from './shapes.ts'

/** @param speaker the colours of the hair and clothes of who stands beside the chart */
export function crowdBeforeStage(chart: string, speaker: { hair: string; clothes: string }): string {
  const hairs = [
    '#23222a',
    '#5b3b28',
    '#cfd3d6',
    '#7b4629',
    '#38271f',
    '#dcb56c',
    '#c2622c',
    '#23222a',
    '#8d949b',
    '#38271f',
    '#66365a',
  ]
  const clothes = ['#27406b', '#a8452f', '#0f6b6b', '#dea233', '#74407c', '#3c434b', '#3f6a4c', '#c4617a']
  const row = (y: number, count: number, scale: number, shift: number) =>
    Array.from({ length: count }, (_, nth) =>
      at(
        shift + (nth * 1000) / count,
        y + ((nth * 37 + shift) % 5) * 4,
        fromBehind(hairs[(nth * 5 + shift) % hairs.length] ?? '', clothes[(nth * 3 + shift) % clothes.length] ?? ''),
        scale,
      ),
    ).join('')
  return scene(
    rect(0, 0, 960, 640, '#2b2440') +
      [120, 330, 630, 840]
        .map((x) => path(`M${x} 0L${x - 110} 420L${x + 110} 420Z`, '#ffd98a').replace('/>', ' opacity=".1"/>'))
        .join('') +
      rect(230, 60, 500, 250, '#fdf6e6', 8) +
      chart +
      path('M0 400H960V470H0Z', '#6b4530') +
      rect(0, 400, 960, 12, '#8a5d42') +
      at(
        180,
        330,
        path('M-34 84C-34 40 -22 26 0 26C22 26 34 40 34 84Z', speaker.clothes) +
          line('M28 44C52 36 64 16 70 -8', speaker.clothes, 14) +
          circle(71, -14, 8, '#e8b48f') +
          rect(-8, 8, 16, 22, '#dda481', 6) +
          ellipse(0, -6, 21, 24, '#f0c6a5') +
          path('M-24 2C-30 -40 30 -42 24 2C20 -16 8 -22 -4 -20C-14 -18 -20 -12 -24 2Z', speaker.hair),
      ) +
      rect(236, 346, 60, 66, '#8a5d42', 4) +
      rect(228, 338, 76, 12, '#a5714f', 4) +
      row(468, 13, 0.62, 20) +
      row(530, 10, 0.82, 45) +
      row(606, 8, 1.08, 10),
  )
}

/** Boats that are out of reach, and come back. */
export const stormChart = (): string =>
  line('M280 270H690M280 100V270', '#3c434b', 5) +
  line(
    'M290 150C340 150 350 146 380 150C410 156 410 250 440 250C500 250 520 250 540 250C570 250 570 150 600 146C640 142 660 146 684 142',
    '#c6533b',
    9,
  ) +
  rect(424, 104, 132, 160, '#6c9cc4', 4).replace('/>', ' opacity=".25"/>')

/** Trains of a night that meet. */
export const trainDiagram = (): string =>
  [110, 150, 190, 230, 270].map((y) => line(`M270 ${y}H694`, '#d8c9ae', 4)).join('') +
  line('M280 270L400 110L470 190L560 110', '#0f6b6b', 7) +
  line('M300 110L430 270L540 190L660 270', '#a8452f', 7) +
  line('M360 270L520 110L600 230L684 110', '#dea233', 7) +
  circle(400, 110, 11, '#0f6b6b') +
  circle(660, 270, 11, '#a8452f')

export const bell = (): string =>
  scene(
    rect(0, 0, 960, 640, '#274f5b') +
      circle(480, 330, 290, '#2f5d69') +
      circle(480, 330, 220, '#3a6b76') +
      rect(180, 60, 600, 40, '#8a5d42', 8) +
      rect(462, 90, 36, 50, '#6b4530', 6) +
      circle(480, 160, 28, '#bb831d') +
      circle(480, 160, 14, '#274f5b') +
      path(
        'M480 176C400 176 372 240 366 320C360 400 330 430 306 458L654 458C630 430 600 400 594 320C588 240 560 176 480 176Z',
        '#dea233',
      ) +
      path(
        'M480 176C440 176 424 240 420 320C416 400 400 430 386 458L306 458C330 430 360 400 366 320C372 240 400 176 480 176Z',
        '#f2c66e',
      ) +
      rect(290, 450, 380, 34, '#bb831d', 16) +
      line('M540 230L552 270L538 300L556 344', '#8a5a10', 5) +
      circle(480, 506, 26, '#8a5a10') +
      line('M480 528C480 570 500 590 496 640', '#f1e6d2', 12) +
      line(
        'M226 300C206 350 206 390 226 440M734 300C754 350 754 390 734 440M176 270C146 340 146 400 176 470M784 270C814 340 814 400 784 470',
        '#f2c66e',
        8,
        0.6,
      ),
  )
