import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testAppIn, testPlace } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

test('a start with an older copy of the database removes orphans, but no files that only newer rows name', async () => {
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    await make.topic(t, { uploaded_files: [{ name: 'slides.txt', data: 'R3LD' }] })
    await t.ctx.database.transaction((tx) => tx.deleteFrom('file').execute())
  }
  const before = await make.blobs(place)
  expect(before).toHaveLength(1)
  // Stored by a process that ended before it could commit the row.
  const blobs = join(place.dataDir, 'blobs')
  await writeFile(join(blobs, 'kept', 'files', 'orphan'), 'stored')
  await writeFile(join(blobs, 'unnamed', `${spawnSync('true').pid}-files~orphan`), '')
  await using _ = await testAppIn(place)
  await expect.poll(() => make.blobs(place)).toEqual(before)
})
