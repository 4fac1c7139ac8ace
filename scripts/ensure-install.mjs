// Runs before every script of ours, such as `npm start`, on whatever Node the machine has (so: plain JavaScript, no
// dependencies). Installs what the lockfile names when that has not been done yet, among it the Node 24 that runs us.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockfile = join(root, 'package-lock.json')
/** npm writes this at the end of an install. */
const installed = join(root, 'node_modules', '.package-lock.json')

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) {
  console.error('Installing what Summit is made of (once; about a minute) …')
  // Optional packages bring the runtime, development ones the tests; an operator's NODE_ENV must not leave them out.
  const { status } = spawnSync(
    'npm',
    ['ci', '--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) {
    console.error('The installation failed; what npm says of it is above.')
    process.exit(1)
  }
}
