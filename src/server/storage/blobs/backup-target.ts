import { existsSync } from 'node:fs'
import { mkdtempDisposable, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { hasCode, OperatorError, throwUncaught } from '../../core/errors.ts'
import { describeGiving } from '../data-dir/data-dir.ts'
import type { BlobReader, BlobStore } from './blob-store.ts'
import { type BlobTarget, parseS3Url, type S3Target } from './blob-target.ts'
import { fsFolderReader, openFsBlobs } from './fs.ts'
import { backupLimits, requestLimits } from './s3-limits.ts'

/** The location of backups: a folder, or a bucket of S3. */
export type BackupTarget = { readonly kind: 'folder'; readonly dir: string } | S3Target

/** Valid values of `BACKUP_TO`, to complete a message. */
export const backupTargetExpectation =
  'must be a folder that begins with /, ./ or ../, or s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=…].'

/**
 * Reads `BACKUP_TO`. A folder has to look like one, because a bare name may be a mistyped URL.
 * @throws InvalidS3Url, also for anything that is neither
 */
export const parseBackupTarget = (text: string): BackupTarget =>
  isAbsolute(text) || /^\.\.?([/\\]|$)/.test(text) ? { kind: 'folder', dir: resolve(text) } : parseS3Url(text)

/** Whether one of two locations is inside the other. */
export function overlap(blobs: BlobTarget, backups: BackupTarget): boolean {
  if (blobs.kind !== 's3' || backups.kind !== 's3') return false
  const isSameBucket = blobs.bucket === backups.bucket && blobs.endpoint === backups.endpoint
  return isSameBucket && (blobs.prefix.startsWith(backups.prefix) || backups.prefix.startsWith(blobs.prefix))
}

/** The target for a message, without its credentials. */
export const describeBackupTarget = (target: BackupTarget): string =>
  target.kind === 'folder' ? target.dir : `s3://${target.bucket}/${target.prefix}`

const folderOf = (dir: string): string => join(dir, 'backups')

/** Whether this is a folder in which no backup is stored; one that failed may have left its beginning. */
export async function isWithoutBackups(target: BackupTarget): Promise<boolean> {
  if (target.kind !== 'folder') return false
  const folder = folderOf(target.dir)
  const names = await readdir(folder).catch((error: unknown) => (hasCode(error, 'ENOENT') ? [] : undefined))
  // Any other error occurs again, where the folder is opened.
  return names !== undefined && !names.some((name) => existsSync(join(folder, name, 'manifest.json')))
}

/**
 * Opens the store of backups.
 * @param stagingDir a folder on the local disk, for objects on their way to S3
 * @throws OperatorError when the folder cannot be used, or S3 rejects access to the bucket
 */
export async function openBackupTarget(target: BackupTarget, stagingDir: string): Promise<BlobStore> {
  if (target.kind === 'folder') return openFolder(target.dir)
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(target, stagingDir, { limits: backupLimits })
}

export interface ReaderOptions {
  /** Whether somebody is waiting for the result, so that a remote store has little time to respond. */
  isAwaited?: boolean
}

/** Opens the store of backups read-only. Creates nothing there. @throws S3Error when S3 rejects access to the bucket */
export async function openBackupTargetReader(
  target: BackupTarget,
  { isAwaited = false }: ReaderOptions = {},
): Promise<BlobReader> {
  if (target.kind === 'folder') return fsFolderReader(folderOf(target.dir))
  const { openS3Reader } = await import('./s3.ts')
  return openS3Reader(target, isAwaited ? requestLimits : backupLimits)
}

/**
 * Writes something to the location and removes it again. A folder that does not exist yet is not created.
 * @throws OperatorError if nothing may be written to the folder; other errors of the folder, or of S3
 */
export async function tryWriting(target: BackupTarget): Promise<void> {
  if (target.kind === 'folder') {
    try {
      for (const folder of [folderOf(target.dir), join(target.dir, 'staging')]) await tryWritingIn(folder)
    } catch (error) {
      const denial = await describeDenial(target.dir, error)
      throw denial === undefined ? error : new OperatorError(denial, { cause: error })
    }
    return
  }
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'summit-'))
  const { openS3Blobs } = await import('./s3.ts')
  const blobs = await openS3Blobs(target, scratch.path, { limits: requestLimits })
  try {
    const staged = await blobs.stage([Buffer.from(writeTest)], writeTest.length)
    await staged.store(writeTest)
    await blobs.remove(writeTest)
  } finally {
    await blobs.close()
  }
}

const writeTest = 'write-test'

/** Writes in a folder or, if that does not exist yet, in the one in which it will be created. */
async function tryWritingIn(folder: string): Promise<void> {
  const isMissing = await stat(folder).then(
    () => false,
    (error: unknown) => hasCode(error, 'ENOENT') && dirname(folder) !== folder,
  )
  if (isMissing) return tryWritingIn(dirname(folder))
  await using created = await mkdtempDisposable(join(folder, `${writeTest}-`))
  await writeFile(join(created.path, writeTest), writeTest)
}

async function openFolder(dir: string): Promise<BlobStore> {
  try {
    return await openFsBlobs(dir, throwUncaught, folderOf(dir))
  } catch (error) {
    // A full disk has a sentence of its own.
    if (!(error instanceof Error && 'syscall' in error) || hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT'))
      throw error
    const reason = (await describeDenial(dir, error)) ?? `${error.message}.`
    throw new OperatorError(`Backups cannot be stored in ${dir}: ${reason}`, { cause: error })
  }
}

/**
 * Says why nothing may be written to a folder, and which command allows it. The system's error names a file within, or the
 * folder above.
 * @returns undefined for any other error
 */
async function describeDenial(dir: string, error: unknown): Promise<string | undefined> {
  if (!(error instanceof Error) || !['EACCES', 'EPERM', 'EROFS', 'ENOENT'].some((code) => hasCode(error, code))) return
  const isMissing = await stat(dir).then(
    () => false,
    (cause: unknown) => hasCode(cause, 'ENOENT'),
  )
  const [reason] = error.message.split(',')
  return (
    `the folder ${isMissing ? 'does not exist, and cannot be created' : 'cannot be written'} (${reason}). A unit of ` +
    'systemd has to let the server write to it: see docs/operate/backups.md, “Automatic backups”. Run as root: ' +
    `${await describeGiving(dir)}`
  )
}
