import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Whether two folders, which need not exist yet, are on one file system, and are lost together with it. */
export const shareDisk = async (one: string, other: string): Promise<boolean> =>
  (await deviceOf(resolve(one))) === (await deviceOf(resolve(other)))

/** The file system of a folder or, if that does not exist yet, of the one that it will be in. */
const deviceOf = (dir: string): Promise<number> =>
  stat(dir).then(
    ({ dev }) => dev,
    (error: unknown) => {
      if (dirname(dir) === dir) throw error
      return deviceOf(dirname(dir))
    },
  )
