import { access, constants } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'

/** Serves `/healthz` (the process answers) and `/readyz` (it can read its database and write to its folder). */
export function mountHealth(app: FastifyInstance, ctx: Context): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await sql`select 1`.execute(ctx.database.read)
      await access(ctx.config.dataDir, constants.W_OK)
      return reply.send({ status: 'ready' })
    } catch (err) {
      request.log.warn({ err }, 'not ready')
      return reply.code(503).send({ status: 'not ready' })
    }
  })
}
