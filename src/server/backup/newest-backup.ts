import { type Manifest, totalsOf } from './manifest.ts'

/** The newest backup in a location; `summit backup --if-due` prints it as JSON for the server. */
export interface NewestBackup {
  newest: {
    id: string
    /** In milliseconds since 1970. */
    createdAt: number
    durationMs: number
    /** Of the database and all files. */
    bytes: number
    files: number
    /** Files that could not be backed up. */
    missing: number
  }
  /** Whether this command made it. */
  isNew: boolean
  /** How many backups cannot be read. */
  unreadable: number
}

export const newestBackup = (manifest: Manifest, isNew: boolean, unreadable: number): NewestBackup => {
  const { id, createdAt, durationMs, files, missing } = manifest
  return {
    newest: {
      id,
      createdAt,
      durationMs,
      bytes: totalsOf(manifest).bytes,
      files: files.length,
      missing: missing.length,
    },
    isNew,
    unreadable,
  }
}
