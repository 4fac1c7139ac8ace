import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandName } from '../../core/command-name.ts'
import { hasCode, messageOf, OperatorError } from '../../core/errors.ts'
import { type BackupTarget, describeBackupTarget, isWithoutBackups } from '../../storage/blobs/backup-target.ts'

/** Lists the locations in which backups of this summit were seen, one per line. */
const fileIn = (dataDir: string): string => join(dataDir, 'backup-locations')

/** @param location as {@link describeBackupTarget} returns it */
export async function rememberLocation(dataDir: string, location: string): Promise<void> {
  try {
    if (!(await readLocations(dataDir)).includes(location)) await appendFile(fileIn(dataDir), `${location}\n`)
  } catch (error) {
    // The backup itself is sound.
    const reason = messageOf(error)
    console.error(
      `WARNING: Could not record the location of the backup in ${fileIn(dataDir)}: ${reason}. The backup is complete. Make ` +
        'that file writable: until then, Summit cannot tell whether the disk of the backups is mounted.',
    )
  }
}

/**
 * Checks that a folder with backups still has them: without its disk, a mount point is an empty folder, or missing.
 * @returns a sentence if it has none; else undefined
 */
export async function findUnmounted(dataDir: string, target: BackupTarget): Promise<string | undefined> {
  const location = describeBackupTarget(target)
  if (!(await isWithoutBackups(target)) || !(await readLocations(dataDir)).includes(location)) return undefined
  return `Backups were stored in ${location} before, and now there are none: is its disk mounted?`
}

/** See {@link findUnmounted}. @throws OperatorError */
export async function assertMounted(dataDir: string, target: BackupTarget): Promise<void> {
  const finding = await findUnmounted(dataDir, target)
  if (finding === undefined) return
  throw new OperatorError(
    `${finding} If they were removed on purpose, make the next backup yourself: ${commandName} backup`,
  )
}

async function readLocations(dataDir: string): Promise<string[]> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  })
  return text.split('\n')
}
