import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { buildWeb } from '../build-web.ts'
import { emitLocatedFiles } from './emit-located-files.ts'
import { installedSeparately } from './installed-separately.ts'
import { root } from './root.ts'
import { describeThirdParties } from './third-party.ts'
import { buildVersion } from './version.ts'

/**
 * `npm run build`: builds the program in `dist`, with the packages that it uses (decision 34), and lists their licences
 * in `THIRD-PARTY-LICENSES`.
 */

const dist = join(root, 'dist')
const manifest = join(root, 'package.json')
const contained = new Set<string>()

await buildWeb()
await using bundle = await rolldown({
  input: { summit: join(root, 'src/cli/launcher.ts') },
  platform: 'node',
  // Some packages have a CommonJS build that requires its files by computed names; `module` is the other build.
  resolve: { mainFields: ['module', 'main'] },
  external: installedSeparately.map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [
    emitLocatedFiles((file) => contained.add(file)),
    {
      name: 'stamp-version',
      load: async (id) => {
        if (id !== manifest) return
        const stamped = { ...JSON.parse(await readFile(manifest, 'utf8')), version: buildVersion() }
        return { code: JSON.stringify(stamped), moduleType: 'json' }
      },
    },
  ],
  onLog(level, log, print) {
    if (level !== 'warn') return print(level, log)
    // The pg package does without it.
    if (log.code !== 'UNRESOLVED_IMPORT' || !log.message.includes("'pg-native'")) throw new Error(log.message)
  },
})
const { output } = await bundle.write({
  dir: dist,
  cleanDir: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
})
for (const chunk of output) if (chunk.type === 'chunk') for (const id of chunk.moduleIds) contained.add(id)
await chmod(join(dist, 'summit.js'), 0o755)
await writeFile(join(root, 'THIRD-PARTY-LICENSES'), await describeThirdParties(contained))
