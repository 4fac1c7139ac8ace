import { copyFile, cp, mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { buildVersion } from './release/version.ts'
import { run } from './run.ts'

/**
 * `npm run pack-client [FOLDER]`: packs the client (JavaScript with types, without the server) as a tarball for npm in
 * FOLDER (default: `release`). The tarball contains the one package that the client needs, so it installs anywhere,
 * also without a registry.
 */

const root = join(import.meta.dirname, '..')
const source = join(root, 'src/client')
const [folder = join(root, 'release')] = process.argv.slice(2)

await using build = await mkdtempDisposable(join(tmpdir(), 'summit-client-'))
const compiler = join(root, 'node_modules/typescript/bin/tsc')
run(process.execPath, [compiler, '-p', source, '--outDir', build.path])

const { dependencies } = packageJson
const version = buildVersion()
const clientPackage = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
const { typebox } = dependencies
const manifest = { ...clientPackage, version, dependencies: { typebox }, bundleDependencies: ['typebox'] }
await writeFile(join(build.path, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
await cp(join(root, 'node_modules/typebox'), join(build.path, 'node_modules/typebox'), { recursive: true })
await copyFile(join(source, 'README.md'), join(build.path, 'README.md'))
await copyFile(join(root, 'LICENSE'), join(build.path, 'LICENSE'))

await mkdir(folder, { recursive: true })
run('npm', ['pack', build.path, '--pack-destination', folder, '--silent'])
console.log(
  `Packed the client. To install it in an app: npm install ${resolve(folder, `summit-client-${version}.tgz`)}`,
)
