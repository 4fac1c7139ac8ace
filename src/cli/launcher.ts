#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

// The binary `summit` of the package. It may be run by any version of Node, and runs the program with the version that
// npm installed with the package. For other systems there is none, and `require-node.mjs` checks the current one.

/** The flags of `npm start`. */
const flags = ['--no-allocation-site-pretenuring', '--min-semi-space-size=16', '--expose-gc']
const requireNode = new URL('../../scripts/require-node.mjs', import.meta.url)
const program = new URL('main.ts', import.meta.url)

function findNode(): string {
  try {
    const node = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
    // npm does not know that it needs another C library, such as on Alpine.
    return spawnSync(node, ['--version']).status === 0 ? node : execPath
  } catch {
    return execPath
  }
}

const node = findNode()
const args = [...flags, '--import', requireNode.href, '--', fileURLToPath(program), ...process.argv.slice(2)]

// Node 24 replaces this process. Older versions, and Windows, need a second one.
if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args])

const child = spawn(node, args, { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('error', (error) => {
  console.error(`Could not start ${node}: ${error.message}`)
  process.exit(1)
})
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
