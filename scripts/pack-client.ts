import { spawnSync } from 'node:child_process'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

/**
 * `npm run pack-client [FOLDER]`: builds the npm package of the client (JavaScript with types, without the server) in
 * FOLDER (default: `dist/client`), ready for `npm publish FOLDER`.
 */

const root = join(import.meta.dirname, '..')
const [folder = join(root, 'dist/client')] = process.argv.slice(2)

await rm(folder, { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'src/client'), '--outDir', folder], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

const clientPackage = JSON.parse(await readFile(join(root, 'src/client/package.json'), 'utf8'))
const { version, dependencies } = packageJson
const manifest = { ...clientPackage, version, dependencies: { typebox: dependencies.typebox } }
await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
console.log(`Built summit-client ${version} in ${folder}`)
