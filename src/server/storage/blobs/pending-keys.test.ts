import { spawnSync } from 'node:child_process'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { openPendingKeys } from './pending-keys.ts'

/** The id of a process that has ended. */
const endedPid = () => spawnSync('true').pid

async function pendingKeysOf(dir: string, pid: number) {
  const pendingKeys = await openPendingKeys(dir)
  const changeOwner = async () => {
    const folder = join(dir, 'unnamed')
    for (const name of await readdir(folder))
      await rename(join(folder, name), join(folder, name.replace(/^\d+/, `${pid}`)))
  }
  return { pendingKeys, changeOwner }
}

test('the pending keys of an ended process are taken over, until they are deleted', async () => {
  await using folder = await createTemporaryFolder()
  const { pendingKeys, changeOwner } = await pendingKeysOf(folder.path, endedPid())
  const keys = ['files/ab/abc-1', 'program/1/banner-0.jpg']
  for (const key of keys) await pendingKeys.add(key)
  await changeOwner()

  const next = await openPendingKeys(folder.path)
  expect((await next.takeOver()).sort()).toEqual(keys)
  await next.delete('files/ab/abc-1')
  await next.delete('files/ab/abc-1')
  expect(await (await openPendingKeys(folder.path)).takeOver()).toEqual(['program/1/banner-0.jpg'])
})

test('when several processes start at once, each pending key is taken over by one of them', async () => {
  await using folder = await createTemporaryFolder()
  const { pendingKeys, changeOwner } = await pendingKeysOf(folder.path, endedPid())
  const keys = Array.from({ length: 20 }, (_, n) => `files/ab/${n}`)
  for (const key of keys) await pendingKeys.add(key)
  await changeOwner()
  const [one, other] = [await openPendingKeys(folder.path), await openPendingKeys(folder.path)]
  const taken = (await Promise.all([one.takeOver(), other.takeOver()])).flat()
  expect(new Set(taken)).toEqual(new Set(keys))
})

test('the pending keys of a running process are not taken over', async () => {
  await using folder = await createTemporaryFolder()
  const { pendingKeys, changeOwner } = await pendingKeysOf(folder.path, process.ppid)
  await pendingKeys.add('files/ab/abc')
  await changeOwner()
  expect(await pendingKeys.takeOver()).toEqual([])
})
