import { readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { openFsBlobs } from './fs.ts'

test.skipIf(process.platform !== 'linux')(
  'a file is stored only once all its folders are durable, also while another file is stored in them',
  async () => {
    await using folder = await createTemporaryFolder()
    const dir = join(folder.path, 'blobs')
    const store = await openFsBlobs(dir, () => {})
    const stage = (text: string) => store.stage(Readable.from([Buffer.from(text)]), 100)
    const [one, other] = [await stage('one'), await stage('other')]

    const synced = new Set<string>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let isHeld = false
    await using handle = await open(folder.path)
    const { sync } = Object.getPrototypeOf(handle) as FileHandle
    using _ = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (this: unknown) {
      const file = this as FileHandle
      const path = readlinkSync(`/proc/self/fd/${file.fd}`)
      // Only the one that was first.
      if (path === dir && !isHeld) {
        isHeld = true
        await released
      }
      await sync.call(file)
      synced.add(path)
    })
    const first = one.store('files/00/one')
    await expect.poll(() => isHeld).toBe(true)
    await other.store('files/00/other')
    const folders = ['blobs/kept/files/00', 'blobs/kept/files', 'blobs/kept', 'blobs'].map((path) =>
      join(folder.path, path),
    )
    for (const path of [...folders, dirname(dir)]) expect(synced).toContain(path)
    release()
    await first
    await store.close()
  },
)
