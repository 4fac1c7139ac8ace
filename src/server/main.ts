import { parseArgs } from 'node:util'
import { messageOf } from './core/errors.ts'
import { serveSummit } from './lifecycle/serve-summit.ts'

const options = {
  empty: { type: 'boolean' },
  'data-dir': { type: 'string' },
  'env-file': { type: 'string' },
} as const

/** The options of `npm start`. Ends the process if there are others. */
function readOptions() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(messageOf(error))
    console.error(
      'The options are --empty, --data-dir DIR and --env-file FILE. For everything else, see docs/config.md.',
    )
    process.exit(1)
  }
}

// Other users of this machine must not read the data.
process.umask(0o077)

const { empty = false, 'data-dir': dataDir, 'env-file': envFile } = readOptions()
await serveSummit(process.env, { empty, dataDir, envFile })
