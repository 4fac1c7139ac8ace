import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OperationName, operations } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ReportDamage } from '../blobs/damaged-blob.ts'
import { isCached } from '../cache/dependencies.ts'
import type { Freshness } from '../cache/freshness.ts'
import { ResponseCache } from '../cache/response-cache.ts'
import type { Context } from '../context.ts'
import { Failure } from '../core/failure.ts'
import { anonymous, type Principal } from '../core/principal.ts'
import { ResponseBudget } from '../core/response-budget.ts'
import type { ByteResponse, Handlers } from '../operation.ts'
import { openScope } from '../scope.ts'
import type { AnyHandler, BoundOperation } from './bound-operation.ts'
import { mountMethodNotAllowed } from './method-not-allowed.ts'
import { replayReadOf } from './replay-reads.ts'
import { assertSize } from './request/body.ts'
import { BodyBudget } from './request/body-budget.ts'
import { assertSameOrigin } from './request/cross-origin.ts'
import { baseUrlOf } from './request/host.ts'
import { assertValid, pathReader, readInput } from './request/input.ts'
import { compileChecks } from './request/validate.ts'
import { sendCached, sendWritten } from './response/respond.ts'
import { sendBytes } from './response/send-bytes.ts'
import { type WriteServices, write } from './write.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address that the client used, for absolute links. */
    baseUrl: string
    principal: Principal
  }
  interface FastifyContextConfig {
    operation?: OperationName
  }
}

/** What the operations share with others. */
export interface ApiServices {
  freshness: Freshness
  reportDamage: ReportDamage
}

/** What the operations of a process share. */
interface Services extends WriteServices {
  cache: ResponseCache
  memory: BodyBudget
  readPath: ReturnType<typeof pathReader>
  reportDamage: ReportDamage
}

/**
 * Serves every operation of the contract with its handler. Each request is checked in this order: route, host and
 * origin, announced size, identity, access, body, fields, existence; what is thrown on the way becomes a failure in `app.ts`.
 */
export function mountApi(
  app: FastifyInstance,
  ctx: Context,
  { freshness, reportDamage }: ApiServices,
  handlers: Handlers<OperationName>,
): void {
  const bound = bindOperations(ctx, handlers)
  const budget = new ResponseBudget()
  const services: Services = {
    cache: new ResponseCache({
      database: ctx.database,
      freshness,
      signatureKey: ctx.signatureKey,
      maxBytes: ctx.config.pageCacheBytes,
      budget,
      read: ({ name, input, baseUrl }, db) => bound[name].handler(input, openScope(ctx, db, baseUrl)),
    }),
    memory: new BodyBudget(ctx.config.limits),
    readPath: pathReader(),
    keysInFlight: new Set(),
    budget,
    reportDamage,
    log: app.log,
  }
  app.decorateRequest('baseUrl', '')
  app.decorateRequest('principal')
  for (const one of Object.values(bound)) {
    const { name, operation } = one
    app.route({
      // Fastify's own HEAD routes would say that bytes have no length.
      method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
      exposeHeadRoute: false,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      onRequest: (request, _reply, done) => {
        request.baseUrl = baseUrlOf(request.raw, ctx.config)
        if (operation.method !== 'GET') assertSameOrigin(request.raw, ctx.config.publicUrl)
        if (operation.body) assertSize(request.raw, ctx.config.limits)
        request.principal = identify(request)
        done()
      },
      handler: settled(operation.method === 'GET' ? readHandler(one, services) : writeHandler(one, services)),
    })
  }
  mountMethodNotAllowed(app)
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function readHandler(bound: BoundOperation, { cache, budget, readPath, reportDamage }: Services): RouteHandler {
  const { ctx, name, handler } = bound
  return async (request, reply) => {
    const { values, fields, path } = readPath(bound, request)
    assertValid(fields)
    const {
      baseUrl,
      principal: { audience },
    } = request
    if (!isCached(name)) {
      const scope = openScope(ctx, ctx.database.read, baseUrl)
      const answer = (await handler(values, scope)) as ByteResponse
      return sendBytes(request, reply, answer, (damaged) => reportDamage(damaged, request.id))
    }
    const cached = await cache.get({ name, input: values, path, audience, baseUrl })
    return sendCached(reply, cached, ctx.timestamp(ctx.clock()), budget)
  }
}

function writeHandler(bound: BoundOperation, services: Services): RouteHandler {
  return async (request, reply) => {
    await using input = await readInput(bound, services.readPath(bound, request), request, reply, services.memory)
    return sendWritten(reply, await write(bound, input, request, services), services.budget)
  }
}

/**
 * The same handler, but a failure of a request that has its response already, as one that is refused at shutdown, is no
 * error. Fastify logs whatever is thrown then as one.
 */
const settled =
  (handle: RouteHandler): RouteHandler =>
  (request, reply) =>
    handle(request, reply).catch((err: unknown) => {
      if (!(reply.sent && err instanceof Failure)) throw err
      request.log.debug({ reqId: request.id, err }, 'request failed after its response')
    })

/** Nobody is asked who they are: this version has no other `ACCESS` than `open`. */
const identify = (_request: FastifyRequest): Principal => anonymous

function bindOperations(ctx: Context, handlers: Handlers<OperationName>): Record<OperationName, BoundOperation> {
  const bound = Object.entries(operations).map(([name, operation]: [string, Operation]) => {
    // The types of the contract tie each handler to its operation; here they are all alike.
    const handlerOf = (of: string) => handlers[of as OperationName] as AnyHandler
    const read = replayReadOf(name as OperationName)
    const checks = compileChecks(operation, ctx.config.limits)
    return [name, { ctx, name, operation, handler: handlerOf(name), replayRead: read && handlerOf(read), checks }]
  })
  return Object.fromEntries(bound)
}
