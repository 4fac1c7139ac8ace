// Runs before every npm script, such as `npm start`, on the machine's own Node (hence plain JavaScript without
// dependencies). Installs the packages of the lockfile if they are missing or outdated, including the Node 24 to run on.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockfile = join(root, 'package-lock.json')
/** npm writes this at the end of an install. */
const installMarker = join(root, 'node_modules', '.package-lock.json')

if (!existsSync(installMarker) || statSync(installMarker).mtimeMs < statSync(lockfile).mtimeMs) {
  console.error('Installing dependencies (once; takes about a minute) …')
  // The runtime is an optional package and the tests need development ones; NODE_ENV=production must not omit them.
  const { status } = spawnSync(
    'npm',
    ['ci', '--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      // Standard output is that of the script.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) {
    console.error('Installation failed; see the output of npm above.')
    process.exit(1)
  }
}
