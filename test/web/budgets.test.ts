import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { expectFewRequests } from './budgets.fixtures.ts'

const kilobyte = 1_000

/** The largest sizes of the assets, compressed as they are sent. */
const budgets = {
  'attendee.js': 10 * kilobyte,
  'account.js': 10 * kilobyte,
  'console.js': 10 * kilobyte,
  'style.css': 8 * kilobyte,
  'console.css': 4 * kilobyte,
}

test.each(Object.entries(budgets))('%s has at most %i bytes, compressed', async (name, maxBytes) => {
  const built = await readFile(new URL(`../../src/web/built/${name}`, import.meta.url))
  expect(gzipSync(built, { level: 9 }).length).toBeLessThanOrEqual(maxBytes)
})

test('in the mode members a page needs few requests, all of them of this site', () => expectFewRequests('members', 3))
