import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shareDisk } from './shared-disk.ts'

test('folders that do not exist yet share the disk on which they will be', async () => {
  expect(await shareDisk(join(tmpdir(), 'none', 'a'), join(tmpdir(), 'none-either'))).toBe(true)
})

/** Linux mounts this file system everywhere. */
const other = '/proc'

test.skipIf(statSync(other, { throwIfNoEntry: false }) === undefined)(
  'a folder on another file system does not share the disk',
  async () => {
    expect(await shareDisk(tmpdir(), other)).toBe(false)
  },
)
