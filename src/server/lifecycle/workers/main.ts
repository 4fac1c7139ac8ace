import { readConfig } from '../../config/config.ts'
import { installOutput } from '../../platform/logging/process-output.ts'
import { createProcessRegistry } from '../../platform/metrics/metrics.ts'
import { DatabaseDamaged } from '../../storage/db/damage.ts'
import { createContext } from '../start/create-context.ts'
import { explain } from '../start/explain.ts'
import { listen } from '../start/listen.ts'
import { assertDatabasePresent } from '../start/lost-database.ts'
import { requestMetrics } from './aggregate-metrics.ts'
import { diskFailed, type FromWorker, type ToWorker } from './messages.ts'

/** A worker: serves requests, and leaves everything else to the main process, see `worker-pool.ts`. */
async function main([port, lingerMs]: string[]): Promise<void> {
  const sink = installOutput()
  const { config } = readConfig(process.env)
  // A restarted worker must not create a new summit if the database has been removed meanwhile.
  await assertDatabasePresent(config)
  const ctx = await createContext(config, { onSyncError: () => process.exit(diskFailed) })
  const registry = createProcessRegistry()
  const send = (message: FromWorker) => void process.send?.(message)
  const { scrape, handle } = requestMetrics(registry, send)
  const options = { port: Number(port), reusePort: true, lingerMs: Number(lingerMs), registry, scrape, sink }
  const listening = await listen(ctx, options)

  const stop = async () => {
    await listening.close()
    await ctx.close()
    process.exit(0)
  }
  const { damage } = ctx.database
  damage.onFound(({ message }) => send({ kind: 'damage found', message }))
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') return stop()
    if (message.kind === 'damage found') return damage.report(new DatabaseDamaged(message.message))
    return handle(message)
  })
  send({ kind: 'listening', address: listening.address })
}

// A terminal and systemd signal all processes at once, but the main process decides when a worker stops.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
// Once the main process has exited, its lock is released, and another server may take over.
process.on('disconnect', () => process.exit(1))

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})
