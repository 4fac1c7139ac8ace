import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/faults/temporary-folder.ts'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { explain } from './explain.ts'
import { serve } from './serve.ts'

// An operator who starts a program with something wrong reads one line that says what it is.

const configOf = (settings: Record<string, string>) =>
  readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...settings }).config

const failing = (start: Promise<{ close(): Promise<void> }>): Promise<string> =>
  start.then(
    async (started) => {
      await started.close()
      return 'it started'
    },
    (error: unknown) => explain(error),
  )

const wrongFolders = {
  'is a file': {
    prepare: async (dir: string) => {
      await writeFile(join(dir, 'file'), '')
      return join(dir, 'file')
    },
    says: /^DATA_DIR cannot be used as a folder: EEXIST.*$/,
  },
  'is below a file': {
    prepare: async (dir: string) => {
      await writeFile(join(dir, 'file'), '')
      return join(dir, 'file', 'data')
    },
    says: /^DATA_DIR cannot be used as a folder: ENOTDIR.*$/,
  },
  'is in a place where no folder can be made': {
    prepare: async () => '/proc/summit/data',
    says: /^DATA_DIR cannot be used as a folder: .*$/,
  },
  'holds a key that is none': {
    prepare: async (dir: string) => {
      new DatabaseSync(join(dir, 'summit.db')).exec('vacuum')
      await writeFile(join(dir, 'signature.key'), 'secret\n')
      return dir
    },
    says: /^\S+signature\.key does not hold a key of 64 hex digits\..*$/,
  },
  'holds a database that is none': {
    prepare: async (dir: string) => {
      await writeFile(join(dir, 'summit.db'), 'no database '.repeat(1_000))
      return dir
    },
    says: /^summit\.db in DATA_DIR is not a database\. Restore a backup\.$/,
  },
  'holds a folder in the place of the database': {
    prepare: async (dir: string) => {
      await mkdir(join(dir, 'summit.db'))
      return dir
    },
    says: /^Cannot open the database in DATA_DIR\..*$/,
  },
}

test.each(Object.entries(wrongFolders))(
  'a DATA_DIR that %s is one line, of the server and of a command',
  async (_, one) => {
    await using folder = await temporaryFolder()
    const config = configOf({ DATA_DIR: await one.prepare(folder.dir) })
    expect(await failing(serve(config))).toMatch(one.says)
    expect(await failing(createContext(config))).toMatch(one.says)
  },
)

test('a lock that is none is to be removed, and no backup to be restored', async () => {
  await using folder = await temporaryFolder()
  const lock = join(folder.dir, 'serving.lock')
  await writeFile(lock, 'no lock '.repeat(1_000))
  const says = `${lock} is damaged. Remove it; it holds no data, and the next start creates it again.`
  expect(await failing(serve(configOf({ DATA_DIR: folder.dir })))).toBe(says)
  await rm(lock)
  expect(await failing(serve(configOf({ DATA_DIR: folder.dir })))).toBe('it started')
})

test('a folder that is served already is named with its whole path, and what to do', async () => {
  await using folder = await temporaryFolder()
  const config = configOf({ DATA_DIR: relative('.', folder.dir) })
  const first = await serve(config)
  const says = `Another Summit is already serving ${folder.dir}. Stop it, or set DATA_DIR to another folder.`
  expect(await failing(serve(config))).toBe(says)
  await first.close()
})

test.each([
  ['no.such.host.invalid', /^HOST is not a name that leads to an address: .*$/],
  ['192.0.2.7', /^HOST is not an address of this machine\.$/],
])('HOST=%s, which is not this machine, is one line', async (HOST, says) => {
  await using folder = await temporaryFolder()
  expect(await failing(serve(configOf({ DATA_DIR: folder.dir, HOST, ACCESS: 'open' })))).toMatch(says)
})

test('a port that is taken is named', async () => {
  await using folder = await temporaryFolder()
  await using other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo
  const started = failing(serve(configOf({ DATA_DIR: folder.dir, PORT: String(port) })))
  expect(await started).toBe(`Port ${port} is in use already. Set PORT to another one.`)
  // No summit has begun there.
  expect(await readdir(folder.dir)).not.toContain('summit.db')
})

test('a DATA_DIR on a file system that is read-only is one line that names it', () => {
  const refused = Object.assign(new Error("EROFS: read-only file system, access '/srv'"), { syscall: 'access' })
  expect(explain(refused)).toBe(`DATA_DIR cannot be written to: ${refused.message}`)
})

test('a bug is explained with where it is', () => {
  expect(explain(new TypeError('x is not a function'))).toMatch(/x is not a function\n\s+at /)
})
