import { access, constants } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { version } from '../../core/version.ts'

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
