import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../../config/config.ts'
import { hasCode } from '../../core/error-code.ts'
import { syncPath } from '../../storage/data-dir/sync-path.ts'

/** A key in `DATA_DIR`: 32 random bytes as hex in a file that only its owner can read. */
export interface KeyFile {
  name: string
  /** The setting that replaces it. */
  setting: string
}

export const keyFilePath = ({ name }: KeyFile, dataDir: string): string => join(dataDir, name)

/**
 * Reads a key, or creates it. Programs that start concurrently all get the same key.
 * @param initial the key to store if there is none yet, 64 hex digits
 * @throws ConfigError if the file exists but does not contain a key
 */
export async function loadOrCreateKey(file: KeyFile, dataDir: string, initial = newKey()): Promise<Buffer> {
  const path = keyFilePath(file, dataDir)
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) await createFile(path, initial)
  if (text === '') await appendKey(path, initial)
  return readKey(file, path)
}

/** The key; undefined if there is none. Creates nothing. @throws ConfigError if the file does not contain a key */
export const findKey = async (file: KeyFile, dataDir: string): Promise<Buffer | undefined> =>
  (await hasKey(file, dataDir)) ? readKey(file, keyFilePath(file, dataDir)) : undefined

/** Whether the file exists and is not empty. */
export const hasKey = async (file: KeyFile, dataDir: string): Promise<boolean> =>
  ((await stat(keyFilePath(file, dataDir)).catch(ignoreMissing))?.size ?? 0) > 0

export const newKey = (): string => randomBytes(32).toString('hex')

async function readKey({ setting }: KeyFile, path: string): Promise<Buffer> {
  const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n')
  if (!/^[0-9a-f]{64}$/.test(line))
    throw new ConfigError(
      `${path} does not contain a key of 64 hex digits. Restore it from a backup, or set ${setting}.`,
    )
  return Buffer.from(line, 'hex')
}

/** Creates the file atomically with its content, and never overwrites that of another process. */
async function createFile(path: string, key: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    await using file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${key}\n`)
    await file.sync()
    await link(temporary, path).catch(ignoreExisting)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncPath(dirname(path))
}

/**
 * Fills an empty file, left by an interrupted first start of an older version. If several programs append a key, the
 * first line counts.
 */
async function appendKey(path: string, key: string): Promise<void> {
  await using file = await open(path, 'a')
  await file.writeFile(`${key}\n`)
  await file.sync()
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}
