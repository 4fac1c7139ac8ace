import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { hasKeyFile, loadOrCreateKeyFile } from './keys.ts'

let dataDir: string
const folders: string[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  folders.push(dataDir)
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

test('the first start creates a key that only its owner can read, and later starts reuse it', async () => {
  const key = await loadOrCreateKeyFile(dataDir)
  expect(key).toHaveLength(32)
  expect(await loadOrCreateKeyFile(dataDir)).toEqual(key)
  expect((await stat(join(dataDir, 'signature.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['signature.key'])
})

test('a start recovers from an empty key file left by an interrupted one', async () => {
  await writeFile(join(dataDir, 'signature.key'), '', { mode: 0o600 })
  expect(await hasKeyFile(dataDir)).toBe(false)
  const key = await loadOrCreateKeyFile(dataDir)
  expect(await readFile(join(dataDir, 'signature.key'), 'utf8')).toBe(`${key.toString('hex')}\n`)
  expect(await readdir(dataDir)).toEqual(['signature.key'])
  expect(await hasKeyFile(dataDir)).toBe(true)
})

test.each(['missing', 'empty'])('many concurrent starts with the key file %s all get the stored key', async (file) => {
  if (file === 'empty') await writeFile(join(dataDir, 'signature.key'), '')
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKeyFile(dataDir)))
  const stored = (await readFile(join(dataDir, 'signature.key'), 'utf8')).split('\n')[0]
  expect(new Set(keys.map((one) => one.toString('hex')))).toEqual(new Set([stored]))
  expect(await readdir(dataDir)).toEqual(['signature.key'])
})

test('a key file with other content is left unchanged and named in the error', async () => {
  const path = join(dataDir, 'signature.key')
  await writeFile(path, 'secret\n')
  await expect(loadOrCreateKeyFile(dataDir)).rejects.toThrow(`${path} does not contain a key of 64 hex digits.`)
  expect(await readFile(path, 'utf8')).toBe('secret\n')
})
