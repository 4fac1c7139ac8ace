import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { run } from '../run.ts'
import { mayBeInstalled } from './licenses.ts'
import { root } from './root.ts'
import { buildVersion } from './version.ts'

/**
 * `npm run release [FOLDER]`: writes what a release consists of into FOLDER, which must be empty (default: `release`,
 * which is emptied), and prints the hashes. Publishes nothing.
 */

const defaultFolder = join(root, 'release')
const [folder = defaultFolder] = process.argv.slice(2)
const { name } = packageJson
const version = buildVersion()
// For the scripts below: packing changes package.json for a moment.
process.env.VERSION = version
const file = (suffix: string) => join(folder, `${name}-${version}.${suffix}`)

/** A CycloneDX document, as far as we read it. */
interface Sbom {
  metadata: { component: { name: string; version: string } }
  components: { name: string; version: string; licenses?: ({ license: { id: string } } | { expression: string })[] }[]
}

await rm(defaultFolder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
if ((await readdir(folder)).length > 0) {
  console.error(`${folder} is not empty. Name a new folder.`)
  process.exit(1)
}
run('npm', ['pack', root, '--pack-destination', folder, '--silent'])
// npm names it by the version before packing.
await rename(join(folder, `${name}-${packageJson.version}.tgz`), file('tgz'))
run(process.execPath, [join(root, 'scripts/pack-client.ts'), folder])

// From the lockfile, which has the packages of every platform.
const command = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--prefix', root]
const sbom: Sbom = JSON.parse(run('npm', command))
// npm writes the name of the folder.
sbom.metadata.component.name = name
sbom.metadata.component.version = version
await writeFile(file('cyclonedx.json'), `${JSON.stringify(sbom, null, 2)}\n`)

const licenses = sbom.components
  .map(({ name, version, licenses = [] }) => ({
    name,
    version,
    license: licenses.map((entry) => ('license' in entry ? entry.license.id : `(${entry.expression})`)).join(' AND '),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
const refused = licenses.filter(({ license }) => !mayBeInstalled(license))
if (refused.length > 0) {
  console.error('These packages have a licence that is not accepted, see scripts/release/licenses.ts:', refused)
  process.exit(1)
}
const lines = licenses.map(({ name, version, license }) => `${name},${version},${license}`)
await writeFile(file('licenses.csv'), `${['package,version,licence', ...lines].join('\n')}\n`)

const names = await readdir(folder)
const sums = await Promise.all(
  names.sort().map(async (name) => {
    const hash = createHash('sha256').update(await readFile(join(folder, name)))
    return `${hash.digest('hex')}  ${name}`
  }),
)
await writeFile(join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`)
console.log(`Release ${version} in ${folder}:\n${sums.join('\n')}`)
