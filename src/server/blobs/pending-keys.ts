import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../core/error-code.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import { isRunning } from './staging.ts'

/** Keys that may have bytes and no row yet, on the local disk, so that whoever comes after a process that was killed knows. */
export interface PendingKeys {
  add(key: string): Promise<void>
  /** Harmless when there is none. */
  forget(key: string): Promise<void>
  /** Takes over what processes that have ended noted. */
  inherit(): Promise<string[]>
}

/**
 * Notes as empty files, named `<process id>-<key>`. They are not synced: a process that is killed leaves them, and what
 * a power cut takes with it is for `summit sweep`.
 * @param dir where several processes may have notes
 */
export async function openPendingKeys(dir: string): Promise<PendingKeys> {
  const folder = join(dir, 'unnamed')
  await makeFolder(folder)
  // No key has a tilde.
  const path = (key: string, pid: string | number = process.pid) => join(folder, `${pid}-${key.replaceAll('/', '~')}`)

  return {
    add: (key) => writeFile(path(key), '', { mode: 0o600 }),
    forget: (key) => rm(path(key), { force: true }),
    async inherit() {
      const keys: string[] = []
      for (const name of await readdir(folder)) {
        const [, pid = '', noted = ''] = /^(\d+)-(.+)$/.exec(name) ?? []
        if (noted === '' || isRunning(Number(pid))) continue
        const key = noted.replaceAll('~', '/')
        if (await takeOver(path(key, pid), path(key))) keys.push(key)
      }
      return keys
    },
  }
}

/** @returns whether it was still there: another process that starts may have been quicker */
const takeOver = (theirs: string, ours: string): Promise<boolean> =>
  rename(theirs, ours).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    },
  )
