import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'
import { hasCode } from './errors.ts'

/**
 * The key of `system.signature` that is kept in the data folder: 32 random bytes as hex, made at first start,
 * readable by its owner only. Programs that start together all have the same one.
 * @throws ConfigError when the file is there but holds no such key
 */
export async function keptSigningKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'signature.key')
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) await makeFile(path)
  if (text === '') await fillFile(path)
  const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n')
  if (!/^[0-9a-f]{64}$/.test(line))
    throw new ConfigError(
      `${path} does not hold a key of 64 hex digits. Restore it from a backup, or set SIGNATURE_KEY.`,
    )
  return Buffer.from(line, 'hex')
}

const newKey = () => `${randomBytes(32).toString('hex')}\n`

/** The name comes to be with all that is in the file, and never takes the place of another's. */
async function makeFile(path: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    await using file = await open(temporary, 'wx', 0o600)
    await file.writeFile(newKey())
    await file.sync()
    await link(temporary, path).catch(ignoreExisting)
  } finally {
    await rm(temporary, { force: true })
  }
  await using folder = await open(dirname(path))
  await folder.sync()
}

/** Older versions, cut off at their first start, left it empty. If several programs add a key, the first line counts. */
async function fillFile(path: string): Promise<void> {
  await using file = await open(path, 'a')
  await file.writeFile(newKey())
  await file.sync()
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}
