import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/errors.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import { isRunning } from './staging.ts'

/** Keys that may have bytes but no row yet, recorded on the local disk for the case that the process is killed. */
export interface PendingKeys {
  add(key: string): Promise<void>
  /** Harmless when the key is not pending. */
  delete(key: string): Promise<void>
  /** Makes the pending keys of processes that have ended those of this process, and returns them. */
  takeOver(): Promise<string[]>
}

/**
 * Records pending keys as empty files, named `<process id>-<key>`. They are not synced: they survive a killed process,
 * and after a power cut `summit sweep` finds the blobs of those that are lost.
 * @param dir may be shared by several processes
 */
export async function openPendingKeys(dir: string): Promise<PendingKeys> {
  const folder = join(dir, 'unnamed')
  await makeFolder(folder)
  // Keys do not contain a tilde.
  const path = (key: string, pid: string | number = process.pid) => join(folder, `${pid}-${key.replaceAll('/', '~')}`)

  return {
    add: (key) => writeFile(path(key), '', { mode: 0o600 }),
    delete: (key) => rm(path(key), { force: true }),
    async takeOver() {
      const keys: string[] = []
      for (const name of await readdir(folder)) {
        const [, pid = '', encodedKey = ''] = /^(\d+)-(.+)$/.exec(name) ?? []
        if (encodedKey === '' || isRunning(Number(pid))) continue
        const key = encodedKey.replaceAll('~', '/')
        if (await claim(path(key, pid), path(key))) keys.push(key)
      }
      return keys
    },
  }
}

/** @returns whether it succeeded: another process that is starting may have been faster */
const claim = (theirs: string, ours: string): Promise<boolean> =>
  rename(theirs, ours).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    },
  )
