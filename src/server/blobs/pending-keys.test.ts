import { spawnSync } from 'node:child_process'
import { mkdtempDisposable, readdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPendingKeys } from './pending-keys.ts'

/** The number of a process that has ended. */
const deadPid = () => spawnSync('true').pid

async function notesIn(dir: string, pid: number) {
  const notes = await openPendingKeys(dir)
  const changeOwner = async () => {
    const folder = join(dir, 'unnamed')
    for (const name of await readdir(folder))
      await rename(join(folder, name), join(folder, name.replace(/^\d+/, `${pid}`)))
  }
  return { notes, changeOwner }
}

test('what a process that has ended noted is inherited, until it is forgotten', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-notes-'))
  const { notes, changeOwner } = await notesIn(folder.path, deadPid())
  const keys = ['files/ab/abc-1', 'program/1/banner-0.jpg']
  for (const key of keys) await notes.add(key)
  await changeOwner()

  const next = await openPendingKeys(folder.path)
  expect((await next.inherit()).sort()).toEqual(keys)
  await next.forget('files/ab/abc-1')
  await next.forget('files/ab/abc-1')
  expect(await (await openPendingKeys(folder.path)).inherit()).toEqual(['program/1/banner-0.jpg'])
})

test('of several that start at once, each note is inherited by one', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-notes-'))
  const { notes, changeOwner } = await notesIn(folder.path, deadPid())
  const keys = Array.from({ length: 20 }, (_, nth) => `files/ab/${nth}`)
  for (const key of keys) await notes.add(key)
  await changeOwner()
  const [one, other] = [await openPendingKeys(folder.path), await openPendingKeys(folder.path)]
  const inherited = (await Promise.all([one.inherit(), other.inherit()])).flat()
  expect(new Set(inherited)).toEqual(new Set(keys))
})

test('what a process that runs noted stays its own', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-notes-'))
  const { notes, changeOwner } = await notesIn(folder.path, process.ppid)
  await notes.add('files/ab/abc')
  await changeOwner()
  expect(await notes.inherit()).toEqual([])
})
