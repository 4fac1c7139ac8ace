import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import { blobProblems, type ReportDamage } from '../../storage/blobs/damaged-blob.ts'

/** Creates a function that logs and counts each response for which a stored file was missing or damaged. */
export function createDamageReporter(log: FastifyBaseLogger, registry: Registry): ReportDamage {
  const counter = new Counter({
    name: 'summit_damaged_file_reads_total',
    help: 'Reads of stored files that were missing or damaged.',
    labelNames: ['problem'],
    registers: [registry],
  })
  // Alerts on an increase need a value of 0 before the first one.
  for (const problem of blobProblems) counter.inc({ problem }, 0)
  return ({ key, problem, expected, found, message }, reqId) => {
    counter.inc({ problem })
    log.error({ reqId, key, problem, expected, found }, message)
  }
}

/** Interval of damage checks, for instances without writes or readiness probes. */
const damageCheckIntervalMs = 10_000

/** Logs damage to the database once, when it is found. */
export function watchDatabase(app: FastifyInstance, { database: { damage } }: Context): void {
  damage.onFound(({ message }) => app.log.error(`${message} Until then, writes are rejected.`))
  const timer = setInterval(() => damage.check(), damageCheckIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
