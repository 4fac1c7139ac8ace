import { Registry } from 'prom-client'
import { readConfig } from '../../config.ts'
import { createContext } from '../../context.ts'
import { DatabaseDamaged } from '../../db/damage.ts'
import { takeOverOutput } from '../../ops/process-output.ts'
import { explain } from '../explain.ts'
import { listen } from '../listen.ts'
import { assertDatabasePresent } from '../lost-database.ts'
import { disablePretenuring } from '../v8-flags.ts'
import { requestMetrics } from './aggregate-metrics.ts'
import { diskFailed } from './exit-codes.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** A worker: answers requests, and leaves everything else to the process that started it, see `worker-pool.ts`. */
async function main([port, lingerMs]: string[]): Promise<void> {
  const sink = takeOverOutput()
  disablePretenuring()
  const { config } = readConfig(process.env)
  // One that takes the place of another begins no summit where the database has gone meanwhile.
  await assertDatabasePresent(config)
  const ctx = await createContext(config, { onSyncError: () => process.exit(diskFailed) })
  const registry = new Registry()
  const say = (message: FromWorker) => void process.send?.(message)
  const { scrape, take } = requestMetrics(registry, say)
  const how = { port: Number(port), reusePort: true, lingerMs: Number(lingerMs), registry, scrape, sink }
  const listening = await listen(ctx, how)

  const stop = async () => {
    await listening.close()
    await ctx.close()
    process.exit(0)
  }
  const { damage } = ctx.database
  damage.onFound(({ message }) => say({ kind: 'damage found', message }))
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') return stop()
    if (message.kind === 'damage found') return damage.report(new DatabaseDamaged(message.message))
    return take(message)
  })
  say({ kind: 'listening', address: listening.address })
}

// A terminal and systemd signal all processes at once; when this one ends is the other's to say.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
// Without the other nobody would: it holds the lock, and the next one takes over.
process.on('disconnect', () => process.exit(1))

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})
