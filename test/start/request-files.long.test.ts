import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/request-files.ts')

// A reader opens these files to follow a request through the server (decision 48).
test.each([
  ['a cached read', 18],
  ['a new topic', 34],
])('%s runs at most %i files of the server', async (request, limit) => {
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const count = new RegExp(`^(\\d+) files run for ${request} `, 'm').exec(stdout)?.[1]
  expect(Number(count), stdout).toBeLessThanOrEqual(limit)
})
