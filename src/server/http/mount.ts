import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { responseCodes } from '../../contract/envelope.ts'
import { type OperationName, type Operations, operations } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import { isPage, type PageName, type Part, partsOf } from '../pages/dependencies.ts'
import type { Pages, Wanted } from '../pages/pages.ts'
import { alikeReadOf } from './alike-reads.ts'
import { addressOf, type KnownWrite } from './answer-writes.ts'
import { BodyMemory } from './body-memory.ts'
import { jsonHeaders } from './envelope.ts'
import type { ByteAnswer, Handlers, OnDamaged } from './handlers.ts'
import type { Known } from './known.ts'
import { type AnyHandler, type Asked, type Mounted, scopeOf } from './mounted.ts'
import { noteOf } from './note.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { pageKey, pathOf } from './page-key.ts'
import { sendBytes } from './send-bytes.ts'
import type { Unsent } from './unsent.ts'
import { compileCheck } from './validate.ts'
import { type Writing, writer } from './writes.ts'

/** What operations share with those who answer plain requests before they are routed. */
export interface Shared {
  pages: Pages
  knownPages: Known<Wanted>
  knownWrites: Known<KnownWrite>
  unsent: Unsent
  onDamaged: OnDamaged
}

/**
 * Serves every operation of the contract with its handler. The order of checks is: route, size, identity, parse,
 * validate, exists (decisions, "Failures"); what is thrown on the way becomes a failure in `app.ts`.
 */
export function mountOperations(
  app: FastifyInstance,
  ctx: Context,
  shared: Shared,
  handlers: Handlers<keyof Operations>,
): void {
  const memory = new BodyMemory(ctx.config.limits)
  const writing: Writing = { inFlight: new Set(), memory, unsent: shared.unsent, log: app.log }
  for (const name of Object.keys(operations) as OperationName[]) {
    const operation: Operation = operations[name]
    // The types of the contract tie each handler to its operation; here they are all alike.
    const handler = handlers[name] as AnyHandler
    const read = alikeReadOf(name)
    const reread = read && (handlers[read] as AnyHandler)
    const mounted = { ctx, name, operation, handler, reread, check: compileCheck(operation, ctx.config.limits) }
    app.route({
      // Fastify's own HEAD routes would say that bytes have no length.
      method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
      exposeHeadRoute: false,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      handler: unlessRefused(routeOf(mounted, shared, writing)),
    })
  }
  refuseOtherMethods(app)
}

type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const unlessRefused =
  (route: Route): Route =>
  (request, reply) => {
    const { refusal } = noteOf(request.raw)
    if (refusal !== undefined) throw refusal
    return route(request, reply)
  }

function routeOf(mounted: Mounted, shared: Shared, writing: Writing): Route {
  const { name, operation } = mounted
  if (operation.method !== 'GET') return writeRoute({ name, write: writer(mounted, writing) }, shared)
  return isPage(name) ? pageRoute(mounted, name, shared) : bytesRoute(mounted, shared)
}

const askedBy = ({ raw, params, id }: FastifyRequest): Asked => ({
  raw,
  params: params as Record<string, unknown>,
  requestId: id,
})

function readRequest({ ctx, check }: Mounted, request: FastifyRequest) {
  const asked = askedBy(request)
  const scope = scopeOf(ctx, asked, ctx.database.read)
  const { values, fields } = check(asked.params, {})
  if (fields.length > 0) throw new Failure('VALIDATION_FAILED', { fields })
  return { scope, values }
}

function bytesRoute(mounted: Mounted, { onDamaged }: Shared): Route {
  return async (request, reply) => {
    const { scope, values } = readRequest(mounted, request)
    const answer = (await mounted.handler(values, scope)) as ByteAnswer
    return sendBytes(request, reply, answer, (damaged) => onDamaged(damaged, request.id))
  }
}

function pageRoute(mounted: Mounted, name: PageName, { pages, knownPages, unsent }: Shared): Route {
  const { ctx, operation, handler } = mounted
  const partsOfPage = partsOf[name] as (values: object, data?: object) => Part[]
  return async (request, reply) => {
    const { scope, values } = readRequest(mounted, request)
    const key = pageKey(request.headers.host, pathOf(operation, values))
    const wanted: Wanted = {
      key,
      name,
      partsOf: (data) => partsOfPage(values, data),
      make: (db) => handler(values, { ...scope, db, now: ctx.clock() }),
    }
    const page = await pages.get(wanted)
    knownPages.remember(key, wanted)
    const body = page.at(ctx.timestamp(ctx.clock()))
    page.lend()
    unsent.hold(reply.raw, body, body.length)
    return sendJson(reply, responseCodes.success).send(body)
  }
}

function writeRoute({ name, write }: Omit<KnownWrite, 'params'>, { knownWrites, unsent }: Shared): Route {
  return async (request, reply) => {
    const asked = askedBy(request)
    const { responseCode, body, replayed } = await write(asked)
    const address = addressOf(request.raw)
    if (address) knownWrites.remember(address, { name, write, params: asked.params })
    if (replayed) reply.header('idempotency-replayed', 'true')
    unsent.hold(reply.raw, reply.raw, Buffer.byteLength(body))
    return sendJson(reply, responseCode).send(body)
  }
}

function sendJson(reply: FastifyReply, responseCode: number): FastifyReply {
  reply.request.responseCode = responseCode
  return reply.header('vary', jsonHeaders.vary).header('content-type', jsonHeaders['content-type'])
}
