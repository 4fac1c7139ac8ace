import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './errors.ts'

/**
 * The key of `system.signature` that is kept in the data folder: 32 random bytes as hex, made at first start,
 * readable by its owner only.
 * @throws when the file is there but holds no such key
 */
export async function keptSigningKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'signature.key')
  try {
    const file = await open(path, 'wx', 0o600)
    const key = randomBytes(32)
    await file.writeFile(`${key.toString('hex')}\n`)
    await file.sync()
    await file.close()
    return key
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key of 64 hex digits.`)
  return Buffer.from(text, 'hex')
}
