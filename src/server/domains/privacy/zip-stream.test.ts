import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createZipStream, type ZipEntry } from './zip-stream.ts'

/** An entry that never ends, and the stream of its bytes once it has been opened. */
function endlessEntry(path: string) {
  const opened: Readable[] = []
  const entry: ZipEntry = {
    path,
    modifiedAt: Date.UTC(2030, 4, 1),
    isText: false,
    open: async () => {
      const bytes = new Readable({ read: () => void bytes.push(Buffer.alloc(1_000)) })
      opened.push(bytes)
      return bytes
    },
  }
  return { entry, opened }
}

test('an archive whose reader leaves closes the entry that is open, and opens no other', async () => {
  const [first, second] = [endlessEntry('one'), endlessEntry('two')]
  const archive = createZipStream(Readable.from([first.entry, second.entry]))
  await once(archive, 'readable')
  archive.destroy()
  await expect.poll(() => first.opened.map(({ destroyed }) => destroyed)).toEqual([true])
  expect(second.opened).toEqual([])
})
