import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createDataFolder } from '../../../../test/faults/create-data-folder.ts'
import { readConfig } from '../../config/config.ts'
import { serve } from '../serve.ts'
import { createContext } from './create-context.ts'
import { explain } from './explain.ts'

// A start that fails for a reason the operator can fix prints one line that names the problem.

const configOf = (settings: Record<string, string>) =>
  readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...settings }).config

const startError = (start: Promise<{ close(): Promise<void> }>): Promise<string> =>
  start.then(
    async (started) => {
      await started.close()
      return 'started'
    },
    (error: unknown) => explain(error),
  )

const wrongFolders = {
  'is a file': {
    prepare: async (dir: string) => {
      await writeFile(join(dir, 'file'), '')
      return join(dir, 'file')
    },
    message: /^DATA_DIR cannot be used as a folder: EEXIST.*$/,
  },
  'is below a file': {
    prepare: async (dir: string) => {
      await writeFile(join(dir, 'file'), '')
      return join(dir, 'file', 'data')
    },
    message: /^DATA_DIR cannot be used as a folder: ENOTDIR.*$/,
  },
  'is where no folder can be created': {
    prepare: async () => '/proc/summit/data',
    message: /^DATA_DIR cannot be used as a folder: .*$/,
  },
  'holds an invalid signing key': {
    prepare: async (dir: string) => {
      new DatabaseSync(join(dir, 'summit.db')).exec('vacuum')
      await writeFile(join(dir, 'signature.key'), 'secret\n')
      return dir
    },
    message: /^\S+signature\.key does not contain a key of 64 hex digits\..*$/,
  },
  'holds a file that is not a database': {
    prepare: async (dir: string) => {
      await writeFile(join(dir, 'summit.db'), 'no database '.repeat(1_000))
      return dir
    },
    message: /^summit\.db in DATA_DIR is not a database\. Restore a backup\.$/,
  },
  'holds a folder in place of the database': {
    prepare: async (dir: string) => {
      await mkdir(join(dir, 'summit.db'))
      return dir
    },
    message: /^Cannot open the database in DATA_DIR\..*$/,
  },
}

test.each(Object.entries(wrongFolders))(
  'a DATA_DIR that %s is reported in one line, by the server and by a command',
  async (_, one) => {
    await using folder = await createDataFolder()
    const config = configOf({ DATA_DIR: await one.prepare(folder.dir) })
    expect(await startError(serve(config))).toMatch(one.message)
    expect(await startError(createContext(config))).toMatch(one.message)
  },
)

test('the error about a damaged lock file says to remove it, not to restore a backup', async () => {
  await using folder = await createDataFolder()
  const lock = join(folder.dir, 'serving.lock')
  await writeFile(lock, 'no lock '.repeat(1_000))
  const message = `${lock} is damaged. Remove it; it holds no data, and the next start creates it again.`
  expect(await startError(serve(configOf({ DATA_DIR: folder.dir })))).toBe(message)
  await rm(lock)
  expect(await startError(serve(configOf({ DATA_DIR: folder.dir })))).toBe('started')
})

test('the error about a folder that is already served, or on which a command works, has its absolute path and the remedy', async () => {
  await using folder = await createDataFolder()
  const config = configOf({ DATA_DIR: relative('.', folder.dir) })
  const first = await serve(config)
  expect(await startError(serve(config))).toBe(
    `Another Summit is already serving ${folder.dir}, or a command is restoring, moving or rebuilding its database. Stop ` +
      'that server, wait until the command has finished, or set DATA_DIR to another folder.',
  )
  await first.close()
})

test.each([
  ['no.such.host.invalid', /^HOST could not be resolved: .*$/],
  ['192.0.2.7', /^HOST is not an address of this machine\.$/],
])('HOST=%s, which is not an address of this machine, is reported in one line', async (HOST, message) => {
  await using folder = await createDataFolder()
  expect(await startError(serve(configOf({ DATA_DIR: folder.dir, HOST, ACCESS: 'open' })))).toMatch(message)
})

test('a port that is in use is reported, and no summit is created', async () => {
  await using folder = await createDataFolder()
  await using other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo
  const started = startError(serve(configOf({ DATA_DIR: folder.dir, PORT: String(port) })))
  expect(await started).toBe(`Port ${port} is already in use. Set PORT to another one.`)
  expect(await readdir(folder.dir)).not.toContain('summit.db')
})

test('a DATA_DIR on a read-only file system is reported in one line', () => {
  const error = Object.assign(new Error("EROFS: read-only file system, access '/srv'"), { syscall: 'access' })
  expect(explain(error)).toBe(`DATA_DIR is not writable: ${error.message}`)
})

test('a bug is reported with its stack trace', () => {
  expect(explain(new TypeError('x is not a function'))).toMatch(/x is not a function\n\s+at /)
})
