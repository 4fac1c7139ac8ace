import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { hasStoredKey, storedSigningKey } from './signing-key.ts'

let dataDir: string
const folders: string[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  folders.push(dataDir)
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

test('the first start makes a key that only its owner can read, and every later one finds it', async () => {
  const key = await storedSigningKey(dataDir)
  expect(key).toHaveLength(32)
  expect(await storedSigningKey(dataDir)).toEqual(key)
  expect((await stat(join(dataDir, 'signature.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['signature.key'])
})

test('a start that was cut off before the key was written does not stop the next one', async () => {
  await writeFile(join(dataDir, 'signature.key'), '', { mode: 0o600 })
  expect(await hasStoredKey(dataDir)).toBe(false)
  const key = await storedSigningKey(dataDir)
  expect(await readFile(join(dataDir, 'signature.key'), 'utf8')).toBe(`${key.toString('hex')}\n`)
  expect(await readdir(dataDir)).toEqual(['signature.key'])
  expect(await hasStoredKey(dataDir)).toBe(true)
})

test.each(['missing', 'empty'])(
  'of many that start at once with the key %s, all have the one that is kept',
  async (key) => {
    if (key === 'empty') await writeFile(join(dataDir, 'signature.key'), '')
    const keys = await Promise.all(Array.from({ length: 20 }, () => storedSigningKey(dataDir)))
    const kept = (await readFile(join(dataDir, 'signature.key'), 'utf8')).split('\n')[0]
    expect(new Set(keys.map((one) => one.toString('hex')))).toEqual(new Set([kept]))
    expect(await readdir(dataDir)).toEqual(['signature.key'])
  },
)

test('a file that holds something else is left as it is, and named', async () => {
  const path = join(dataDir, 'signature.key')
  await writeFile(path, 'secret\n')
  await expect(storedSigningKey(dataDir)).rejects.toThrow(`${path} does not hold a key of 64 hex digits.`)
  expect(await readFile(path, 'utf8')).toBe('secret\n')
})
