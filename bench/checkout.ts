import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root folder of the checkout that contains this file. */
export const thisCheckout = join(import.meta.dirname, '..')

/** Preloaded by `npm start`; its compile cache halves the start-up time. */
const preloadPath = 'scripts/require-node.mjs'
const serverPath = 'src/server/main.ts'
const benchPath = 'bench/main.ts'

/** The first required path that is missing from this folder, or undefined if it is a usable checkout. */
export const findMissingPath = (checkout: string): string | undefined =>
  [serverPath, benchPath, preloadPath, 'node_modules'].find((path) => !existsSync(join(checkout, path)))

/** The command that starts the server of a checkout. */
export const serverCommand = (checkout: string): [string, ...string[]] => nodeCommand(checkout, serverPath)

/** The command that runs the bench of a checkout; only that one knows the tables of the checkout's server. */
export const benchCommand = (checkout: string): [string, ...string[]] => nodeCommand(checkout, benchPath)

/** Node's flags in the `npm start` of a checkout, up to the preloaded script. */
function nodeFlags(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  const [beforePreload = ''] = scripts.start.split('--import')
  return beforePreload.match(/--\S+/g) ?? []
}

/** Uses the Node version installed in the checkout, as npm does, or else the current one. */
function nodeCommand(checkout: string, script: string): [string, ...string[]] {
  const installed = join(checkout, 'node_modules/.bin/node')
  const node = existsSync(installed) ? installed : process.execPath
  return [node, ...nodeFlags(checkout), '--import', join(checkout, preloadPath), join(checkout, script)]
}
