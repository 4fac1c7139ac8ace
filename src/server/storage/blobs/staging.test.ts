import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { clearStaging, openStaging } from './staging.ts'

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 60 * 60 * 1000)

/** A server in another container, with the same process id as this one. @param hours since it received something */
async function otherServer(dir: string, hours: number): Promise<string> {
  const folder = join(dir, 'staging', `${process.pid}-${hours}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'incoming'), 'a')
  await utimes(folder, hoursAgo(hours), hoursAgo(hours))
  return folder
}

test('a server that shares the folder removes staged files older than a day, and no uploads in progress', async () => {
  await using dir = await createTemporaryFolder()
  await otherServer(dir.path, 25)
  const live = await otherServer(dir.path, 23)
  await clearStaging(dir.path, { isShared: true })
  expect(await readdir(join(dir.path, 'staging'))).toEqual([live.split('/').at(-1)])
  expect(await readdir(live)).toEqual(['incoming'])
})

test('the only server removes at once the staged files of its predecessors', async () => {
  await using dir = await createTemporaryFolder()
  await otherServer(dir.path, 0)
  await clearStaging(dir.path, { isShared: false })
  expect(await readdir(join(dir.path, 'staging'))).toEqual([])
})

test('a server continues to receive files after its folder was removed', async () => {
  await using dir = await createTemporaryFolder()
  const staging = await openStaging(dir.path)
  await rm(dirname(await staging.newFile()), { recursive: true })
  await writeFile(await staging.newFile(), 'a')
  await staging.close()
  expect(await readdir(join(dir.path, 'staging'))).toEqual([])
})
