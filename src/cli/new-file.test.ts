import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { summitHere } from '../../test/command.ts'
import { noSmallDisk, SmallDisk } from '../../test/faults/small-disk.ts'
import { temporaryFolder } from '../../test/faults/temporary-folder.ts'
import * as make from '../../test/make.ts'
import { writeNewFile } from './new-file.ts'

if (noSmallDisk) console.warn(`skipped: ${noSmallDisk}`)

test.skipIf(noSmallDisk)(
  'an export to a full disk fails with the name of the file, and leaves no partial file',
  async () => {
    await using t = await testApp()
    await make.topic(t)
    using disk = new SmallDisk()
    const out = join(disk.dir, 'topics.csv')
    const exportTopics = () => summitHere(['export', 'topics', '--out', out], t.settings)
    disk.fillUp()
    expect(await exportTopics()).toEqual({ code: 1, out: '', err: `Cannot write ${out}: the disk is full.\n` })
    expect(existsSync(out)).toBe(false)
    disk.giveSpace()
    expect(await exportTopics()).toMatchObject({ code: 0, err: '' })
  },
)

test('an error of a connection is not reported as an error of the file', async () => {
  await using folder = await temporaryFolder()
  const out = join(folder.dir, 'topics.csv')
  const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
  await expect(writeNewFile(out, () => Promise.reject(lost))).rejects.toBe(lost)
  expect(existsSync(out)).toBe(false)
})
