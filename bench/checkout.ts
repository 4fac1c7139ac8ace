import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the checkout that this bench is part of. */
export const thisCheckout = join(import.meta.dirname, '..')

/** Loaded first by `npm start`; its compile cache halves the time of a start. */
const beforeProgram = 'scripts/require-node.mjs'
const server = 'src/server/main.ts'
const bench = 'bench/main.ts'

/** The V8 flag of `npm start`. */
const flag = '--no-allocation-site-pretenuring'

/** The first thing that this folder lacks to be measured as a checkout. */
export const missingIn = (checkout: string): string | undefined =>
  [server, bench, beforeProgram, 'node_modules'].find((path) => !existsSync(join(checkout, path)))

/** The command that serves from a checkout. */
export const serverOf = (checkout: string): [string, ...string[]] => commandOf(checkout, server)

/** The command that loads data with the bench of a checkout, which knows the tables that its server has. */
export const benchOf = (checkout: string): [string, ...string[]] => commandOf(checkout, bench)

/** As npm does it: with the Node that the checkout brings, if it brings one. */
function commandOf(checkout: string, script: string): [string, ...string[]] {
  const own = join(checkout, 'node_modules/.bin/node')
  const node = existsSync(own) ? own : process.execPath
  return [node, flag, '--import', join(checkout, beforeProgram), join(checkout, script)]
}
