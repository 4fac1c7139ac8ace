import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/request-files.ts')

// A reader opens these files to follow a request through the server (decision 48).
test('a cached read runs at most 18 files of the server, and a new topic 35', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const count = (request: string) => Number(new RegExp(`^(\\d+) files run for ${request} `, 'm').exec(stdout)?.[1])
  expect(count('a cached read'), stdout).toBeLessThanOrEqual(18)
  expect(count('a new topic'), stdout).toBeLessThanOrEqual(35)
})
