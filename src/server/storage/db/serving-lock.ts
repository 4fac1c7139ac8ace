import { isFolderLocked, lockFolder } from './sqlite/lock.ts'
import type { DatabaseTarget } from './target.ts'

/**
 * Makes this process the only one that serves a folder, until it ends. A database on a server may be served by several.
 * @returns the function that releases the lock
 * @throws CannotOpen when another process serves the folder
 */
export const lockForServing = (target: DatabaseTarget): (() => void) =>
  target.kind === 'folder' ? lockFolder(target.dir) : () => {}

/** Whether a process holds the lock of {@link lockForServing}; false for a database on a server. */
export const isServed = (target: DatabaseTarget): boolean => target.kind === 'folder' && isFolderLocked(target.dir)
