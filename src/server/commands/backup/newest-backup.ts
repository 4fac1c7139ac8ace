import type { BackupSummary } from './manifest.ts'

/** The newest backup in a location; `summit backup --if-due` prints it as JSON for the server. */
export interface NewestBackup {
  newest: Pick<BackupSummary, 'id' | 'createdAt' | 'durationMs' | 'bytes' | 'files' | 'missing'>
  /** Whether this command made it. */
  isNew: boolean
  /** How many backups cannot be read. */
  unreadable: number
  /** The ids of those dated in the future, which do not count as the newest. */
  future: string[]
  /**
   * Whether it is the first in its folder, on the file system of `DATA_DIR`: an empty mount point, without its disk, is
   * on that of its parent.
   */
  isFirstOnDataDisk: boolean
}

export const newestBackup = (summary: BackupSummary, rest: Omit<NewestBackup, 'newest'>): NewestBackup => {
  const { id, createdAt, durationMs, bytes, files, missing } = summary
  return { newest: { id, createdAt, durationMs, bytes, files, missing }, ...rest }
}
