import { expect, test } from 'vitest'
import { luminance } from '../../../../test/luminance.ts'
import { paletteOf } from './palette.ts'

test('white text passes WCAG AA on every event’s colours', () => {
  for (let id = 0; id < 1000; id++) {
    const { light, dark } = paletteOf(id)
    for (const colour of [light, dark]) expect(1.05 / (luminance(colour) + 0.05)).toBeGreaterThan(4.5)
  }
})

test('neighbouring events differ in colour', () => {
  const colours = Array.from({ length: 100 }, (_, id) => paletteOf(id).light)
  expect(new Set(colours).size).toBeGreaterThan(95)
})

test('luminance is computed as in WCAG', () => {
  expect([luminance('#000000'), luminance('#ffffff')]).toEqual([0, 1])
  expect(luminance('#777777')).toBeCloseTo(0.1845, 4)
})
