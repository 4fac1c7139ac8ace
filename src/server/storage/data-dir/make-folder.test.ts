import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('concurrent calls that create the same parent folders all succeed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'summit-folder-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  for (let round = 0; round < 30; round++) {
    const makers = Array.from({ length: 10 }, async (_, nth) => {
      // Staggered, so that the calls meet at different steps.
      for (let turns = 0; turns < nth; turns++) await turn()
      await makeFolder(join(dir, `${round}`, 'blobs', 'staging', `${nth}`))
    })
    await Promise.all(makers)
    expect(await readdir(join(dir, `${round}`, 'blobs', 'staging'))).toHaveLength(makers.length)
  }
})
