import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'

/** Interval of damage checks, for instances without writes or readiness probes. */
const damageCheckIntervalMs = 10_000

/** Logs damage to the database once, when it is found. */
export function watchDatabase(app: FastifyInstance, { database: { damage } }: Context): void {
  damage.onFound(({ message }) => app.log.error(`${message} Until then, writes are rejected.`))
  const timer = setInterval(() => damage.check(), damageCheckIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
