import { access, constants } from 'node:fs/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import { version } from '../../core/version.ts'
import { blobProblems, type ReportDamage } from '../../storage/blobs/damaged-blob.ts'

/**
 * Serves `/healthz` (the process responds) and `/readyz` (it can read its database, has not found damage to it, and may
 * write to its folder). A full disk leaves it ready, as reads still work.
 */
export function mountHealth(app: FastifyInstance, ctx: Context): void {
  // With the id of the summit, so that a command can tell whether this server works on the same one.
  const healthy = { status: 'ok', version, summit: ctx.id }
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send(healthy))

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // Already logged when it was found.
    if (ctx.database.damage.check()) return reply.code(503).send({ status: 'not ready' })
    try {
      // From a table, as `select 1` would not read the database file.
      await ctx.database.read.selectFrom('change').select('id').limit(1).execute()
      await access(ctx.config.dataDir, constants.W_OK)
      return reply.send({ status: 'ready' })
    } catch (err) {
      app.log.warn({ reqId: request.id, err }, 'not ready')
      return reply.code(503).send({ status: 'not ready' })
    }
  })
}

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
