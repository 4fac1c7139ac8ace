import { parseArgs } from 'node:util'
import { initializeSummit } from '../demo/initialize.ts'
import { type Config, isLoopback, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { explain } from './lifecycle/explain.ts'
import { serve } from './lifecycle/serve.ts'
import { disablePretenuring } from './lifecycle/v8-flags.ts'
import { type Served, serveByWorkers } from './lifecycle/workers/serve.ts'
import { takeOverOutput } from './ops/process-output.ts'

/** Longer than a request takes from a busy client to us, and short enough for whoever waits for the end. */
const lingerMs = 500

/** `npm start`: serves until it is told to stop. `--empty` leaves the sample summit out, whatever is configured. */
async function main(): Promise<void> {
  const sink = takeOverOutput()
  disablePretenuring()
  const { values } = parseArgs({ options: { empty: { type: 'boolean', default: false } } })
  const { config } = readConfig(process.env)
  const beginWith = values.empty ? 'empty' : config.beginWith
  let isNewSample = false
  const prepare = async (ctx: Context) => {
    const hadBegun = await initializeSummit(ctx, beginWith)
    isNewSample = !hadBegun && beginWith === 'sample'
    if (hadBegun && values.empty)
      console.log(`(--empty has no effect: this summit has begun already. For a new one set ${anotherPlace(config)}.)`)
  }
  const options = { prepare, lingerMs, onSyncError: stopAtOnce, sink }
  const served = config.workers > 1 ? await serveByWorkers(config, options) : await serveAlone(config, options)
  stopOnSignals(served)
  console.log(welcome(config, served, isNewSample))
}

async function serveAlone(config: Config, options: Parameters<typeof serve>[1]): Promise<Served> {
  const { app, address, close } = await serve(config, options)
  return { address, log: app.log, close }
}

function welcome(config: Config, { address }: Served, isNewSample: boolean): string {
  const { access, publicUrl, dataDir, host, workers } = config
  const lines = [`Summit serves ${publicUrl ?? address}`, `  docs    ${address}/docs`, `  data    ${dataDir}`]
  if (isNewSample)
    lines.push(`  sample  stored, to look at; for a summit of your own start with ${anotherPlace(config)}, and --empty`)
  lines.push(`  access  ${access}: whoever reaches this port reads and writes as any participant`)
  if (workers > 1) lines.push(`  workers ${workers}`)
  if (!isLoopback(host))
    lines.push(`  WARNING: it listens on ${host}, beyond this machine, and asks nobody who they are`)
  return lines.join('\n')
}

/** Where no summit has begun. */
const anotherPlace = ({ database }: Config): string =>
  database.kind === 'folder' ? 'another DATA_DIR' : 'another DATA_DIR and DATABASE_URL'

/** A terminal sends its Ctrl-C to npm and to us, and npm passes it on: what comes so soon after is no second one. */
const sameSignalMs = 1_000

/** The first signal lets the requests under way finish; a second one ends at once. */
function stopOnSignals({ log, close }: Served): void {
  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    close().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  // The last is what a terminal sends as it closes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
}

/**
 * The kernel reports a sync that failed once, and forgets what it could not write: the next sync would succeed and
 * lie. Only reading everything anew tells what is kept, and that is a start.
 */
function stopAtOnce(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`The disk failed to keep what was written (${message}). Look after it, then start Summit again.`)
  process.exit(1)
}

const isWrongArgument = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

// What is kept is nobody else's to read on this machine.
process.umask(0o077)

main().catch((error: unknown) => {
  console.error(isWrongArgument(error) ? 'The only option is --empty; all else is configuration.' : explain(error))
  process.exit(1)
})
