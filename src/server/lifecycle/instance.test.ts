import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

test('a start with an older copy of the database removes orphans, but no files that only newer rows name', async () => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t, { uploaded_files: [{ name: 'slides.txt', data: 'R3LD' }] })
    await t.ctx.database.transaction((tx) => tx.deleteFrom('file').execute())
  }
  const before = await make.blobs(storage)
  expect(before).toHaveLength(1)
  // Stored by a process that ended before it could commit the row.
  const blobs = join(storage.dataDir, 'blobs')
  await writeFile(join(blobs, 'kept', 'files', 'orphan'), 'stored')
  await writeFile(join(blobs, 'unnamed', `${spawnSync('true').pid}-files~orphan`), '')
  await using _ = await startTestAppOn(storage)
  await expect.poll(() => make.blobs(storage)).toEqual(before)
})
