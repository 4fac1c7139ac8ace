import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'
import { noSmallDisk, SmallDisk } from '../../test/faults/small-disk.ts'
import * as make from '../../test/make.ts'
import { writeNewFile } from './new-file.ts'

if (noSmallDisk) console.warn(`skipped: ${noSmallDisk}`)

test.skipIf(noSmallDisk)(
  'an export to a full disk fails with the name of the file, and leaves no partial file',
  async () => {
    await using t = await startTestApp()
    await make.topic(t)
    using disk = new SmallDisk()
    const out = join(disk.dir, 'topics.csv')
    const exportTopics = () => runSummitInProcess(['export', 'topics', '--out', out], t.settings)
    disk.fillUp()
    expect(await exportTopics()).toEqual({ code: 1, out: '', err: `Cannot write ${out}: the disk is full.\n` })
    expect(existsSync(out)).toBe(false)
    disk.freeSpace()
    expect(await exportTopics()).toMatchObject({ code: 0, err: '' })
  },
)

test('an error of a connection is not reported as an error of the file', async () => {
  await using folder = await createDataFolder()
  const out = join(folder.dir, 'topics.csv')
  const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
  await expect(writeNewFile(out, () => Promise.reject(lost))).rejects.toBe(lost)
  expect(existsSync(out)).toBe(false)
})
