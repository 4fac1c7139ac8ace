import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { shellArg } from '../../server/core/shell-arg.ts'
import { inDataDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { type Check, orOk, warning } from './diagnosis.ts'

/** The files and folders that Summit writes to; there may also be a settings file that only root can change. */
const isOurs = (name: string): boolean => /^(summit\.db|signature\.key|serving\.lock|blobs|placeholders)$/.test(name)

/** Whether DATA_DIR and what is in it can be used by this user, and only by this user. */
export const checkFolder: Check = ({ loaded: { config } }) =>
  inDataDir(config.dataDir, async () => {
    const dir = resolve(config.dataDir)
    const stats = await stat(dir).catch(() => undefined)
    if (!stats)
      return [
        warning(`${dir} does not exist yet. The first start creates it; if there should be one, correct DATA_DIR.`),
      ]
    // It exists, so nothing is created.
    await makeDataDir(dir)
    for (const name of (await readdir(dir)).filter(isOurs))
      await access(join(dir, name), constants.R_OK | constants.W_OK)
    const isShared = process.platform !== 'win32' && (stats.mode & 0o077) !== 0
    return orOk(
      isShared ? [warning(`Other users of this machine can read ${dir}. Run: chmod go-rwx ${shellArg(dir)}`)] : [],
      `${dir}, which only its owner can read`,
    )
  })
