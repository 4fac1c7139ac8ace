import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The root folder of the checkout that contains this file. */
export const thisCheckout = join(import.meta.dirname, '..')

/** Preloaded by `npm start`; its compile cache halves the start-up time. */
const preloadPath = 'scripts/require-node.mjs'
const serverPath = 'src/server/main.ts'
const benchPath = 'bench/main.ts'

/** The flags of `npm start`. */
const nodeFlags = ['--no-allocation-site-pretenuring', '--expose-gc']

/** The first required path that is missing from this folder, or undefined if it is a usable checkout. */
export const findMissingPath = (checkout: string): string | undefined =>
  [serverPath, benchPath, preloadPath, 'node_modules'].find((path) => !existsSync(join(checkout, path)))

/** The command that starts the server of a checkout. */
export const serverCommand = (checkout: string): [string, ...string[]] => nodeCommand(checkout, serverPath)

/** The command that runs the bench of a checkout; only that one knows the tables of the checkout's server. */
export const benchCommand = (checkout: string): [string, ...string[]] => nodeCommand(checkout, benchPath)

/** Uses the Node version installed in the checkout, as npm does, or else the current one. */
function nodeCommand(checkout: string, script: string): [string, ...string[]] {
  const installed = join(checkout, 'node_modules/.bin/node')
  const node = existsSync(installed) ? installed : process.execPath
  return [node, ...nodeFlags, '--import', join(checkout, preloadPath), join(checkout, script)]
}
