import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedSeparately } from './installed-separately.ts'
import { root } from './root.ts'
import { buildVersion } from './version.ts'

/**
 * `npm pack` runs this with `publish` before, and with `restore` after it has read the files: the `package.json` in the
 * tarball must not have the dependencies that the built program contains, or npm would install all of them; and its version
 * is that of the build.
 */

const manifest = join(root, 'package.json')
const original = join(root, 'package.json.original')

const readManifest = () => JSON.parse(readFileSync(manifest, 'utf8'))

function restore(): void {
  if (!existsSync(original)) return
  // After an interruption, someone may already have restored the file in another way, and changed it since.
  if (!('devDependencies' in readManifest())) copyFileSync(original, manifest)
  rmSync(original)
}

function publish(): void {
  // A previous `npm pack` was interrupted.
  restore()
  const { devDependencies, dependencies, ...rest } = readManifest()
  const version = buildVersion()
  const needed = Object.fromEntries(installedSeparately.map((name) => [name, dependencies[name]]))
  copyFileSync(manifest, original)
  // The scripts are of no use in the package, but after an interruption the next `npm pack` needs them here.
  writeFileSync(manifest, `${JSON.stringify({ ...rest, version, dependencies: needed }, null, 2)}\n`)
}

if (process.argv[2] === 'publish') publish()
else restore()
