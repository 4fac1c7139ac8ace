import { lockFolder } from './sqlite/lock.ts'
import type { DatabaseTarget } from './target.ts'

/**
 * Makes this process the only one that serves a folder, until it ends. A database on a server may be served by many.
 * @returns the function that gives it up
 * @throws CannotOpen when another process serves the folder
 */
export const lockForServing = (place: DatabaseTarget): (() => void) =>
  place.kind === 'folder' ? lockFolder(place.dir) : () => {}
