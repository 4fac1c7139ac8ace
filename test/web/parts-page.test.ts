import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'

const style = (name: string) => readFileSync(join(import.meta.dirname, '../../src/web/style', name), 'utf8')

/** Those that the script adds, with the time. */
const ofClock = ['on-now', 'now-line']

test('who works on the pages sees every part of the style, which no search engine lists', async () => {
  await using t = await startTestApp({ ACCESS: 'public', PUBLIC_URL: 'https://summit.example' })
  const response = await fetch(`${t.url}/parts?hue=480`)
  expect(response.status).toBe(200)
  expect(['x-robots-tag', 'cache-control'].map((name) => response.headers.get(name))).toEqual([
    'noindex',
    'private, no-store',
  ])
  const page = await response.text()
  expect(page).toContain(':root{--hue:120}')
  const shown = new Set(Array.from(page.matchAll(/ class="([^"]*)"/g), ([, names = '']) => names.split(' ')).flat())
  const sheets = style('3-parts.css') + style('4-program.css')
  const declared = new Set(Array.from(sheets.matchAll(/\.([a-z][a-z-]*)(?=[^{}]*\{)/g), ([, name = '']) => name))
  expect(declared.size).toBeGreaterThan(30)
  expect([...declared].filter((name) => !shown.has(name) && !ofClock.includes(name))).toEqual([])
})
