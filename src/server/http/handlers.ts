import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseCodes } from '../../contract/envelope.ts'
import { isRevalidated } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import type { Viewer } from '../core/principal.ts'
import type { Freshness } from '../log/changes/freshness.ts'
import type { ByteResponse, CachedOperationName, Download } from '../operation.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import { openScope, type PersonalScope } from '../scope.ts'
import type { ReportDamage } from '../storage/blobs/damaged-blob.ts'
import type { Db } from '../storage/db/tables.ts'
import type { BodyBudget } from './budgets/body-budget.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { BoundOperation } from './request/bound-operation.ts'
import { assertValid, type createPathReader, type PathInput, type ReadForm, readInput } from './request/input.ts'
import { logIfLate } from './response/failures.ts'
import { sendCached, sendJson } from './response/respond.ts'
import { sendBytes, sendDownload } from './response/send-bytes.ts'
import { type WriteResult, type WriteServices, write } from './write.ts'

/** Services shared by all operations of a process. */
export interface Services extends WriteServices {
  cache: ResponseCache
  freshness: Freshness
  bodyBudget: BodyBudget
  readPath: ReturnType<typeof createPathReader>
  reportDamage: ReportDamage
  /** Logs why a mail was not sent. */
  sendMail: (mail: Mail, requestId: string) => void
  /** Of a form of a page. */
  readForm?: ReadForm | undefined
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export const viewerOf = ({ principal: { audience }, baseUrl, mediaKey }: FastifyRequest): Viewer => ({
  audience,
  baseUrl,
  mediaKey,
})

/** Creates the handler of an operation. */
export function createHandler(bound: BoundOperation, services: Services): RouteHandler {
  const respond = createResponder(bound, services)
  return (request, reply) => respond(request, reply).catch((error: unknown) => logIfLate(error, request, reply))
}

/** Selects how to respond, by what the operation returns. */
function createResponder(bound: BoundOperation, services: Services): RouteHandler {
  const { name, operation } = bound
  if (operation.method !== 'GET') return createWriteResponder(bound, services)
  if (bound.isCached) {
    // Only the handlers of these have `dependsOn`.
    const respond = createCachedResponder(bound, name as CachedOperationName, services)
    return bound.readOwn ? createAuthorsResponder(respond, { ...bound, handler: bound.readOwn }, services) : respond
  }
  if (operation.data)
    return 'readers' in operation.access
      ? createUncachedResponder(bound, services)
      : createPersonalResponder(bound, services)
  return isRevalidated(operation) ? createBytesResponder(bound, services) : createDownloadResponder(bound, services)
}

/** @throws Failure VALIDATION_FAILED */
function readParameters(bound: BoundOperation, request: FastifyRequest, { readPath }: Services): PathInput {
  const input = readPath(bound, request)
  assertValid(input.fields)
  return input
}

function createCachedResponder(bound: BoundOperation, name: CachedOperationName, services: Services): RouteHandler {
  const { clock, timestamp } = bound.ctx
  const { cache, freshness, budget } = services
  return async (request, reply) => {
    const { values: input, path } = readParameters(bound, request, services)
    const { audience, baseUrl, mediaKey } = viewerOf(request)
    const key = { name, input, path, audience, baseUrl, mediaKey }
    const position = request.position ?? (await freshness.refresh())
    const response = cache.find(key) ?? (await cache.build(key, position))
    return sendCached(reply, response, timestamp(clock()), budget)
  }
}

/** Responds to participants with their own records, and to all others with those of everyone. */
function createAuthorsResponder(respondToAll: RouteHandler, own: BoundOperation, services: Services): RouteHandler {
  const respondToAuthor = createPersonalResponder(own, services)
  return (request, reply) =>
    request.principal.audience === 'participant' ? respondToAuthor(request, reply) : respondToAll(request, reply)
}

/** Responds with what is for all readers, and not cached. The handler sees to it that its queries saw one state. */
function createUncachedResponder(bound: BoundOperation, services: Services): RouteHandler {
  const { ctx, handler } = bound
  return async (request, reply) => {
    const { values } = readParameters(bound, request, services)
    return sendData(reply, ctx, await handler(openScope(ctx, ctx.database.read, viewerOf(request)), values), services)
  }
}

/** Responds with what is for one person, and is never cached. */
function createPersonalResponder(bound: BoundOperation, services: Services): RouteHandler {
  return async (request, reply) => {
    const { values } = readParameters(bound, request, services)
    return sendData(reply, bound.ctx, await readPersonal(bound, values, request), services)
  }
}

function sendData(reply: FastifyReply, ctx: Context, data: object, { budget }: Services): void {
  const result = { responseCode: responseCodes.success, dataText: JSON.stringify(data), replayed: false, cookies: [] }
  sendJson(reply, ctx, result, budget)
}

/** Executes a read whose result is for the sender of the request only. */
export const readPersonal = ({ ctx, handler }: BoundOperation, values: object, request: FastifyRequest) =>
  ctx.database.snapshot((db) => handler(openPersonalScope(ctx, db, request), values))

const openPersonalScope = (ctx: Context, db: Db, request: FastifyRequest): PersonalScope => ({
  ...openScope(ctx, db, viewerOf(request)),
  principal: request.principal,
})

/** Responds with a file or an image. */
function createBytesResponder(bound: BoundOperation, services: Services): RouteHandler {
  const { ctx, handler, operation } = bound
  return async (request, reply) => {
    const { values } = readParameters(bound, request, services)
    const { read } = ctx.database
    const scope =
      'readers' in operation.access ? openScope(ctx, read, viewerOf(request)) : openPersonalScope(ctx, read, request)
    const response = (await handler(scope, values)) as ByteResponse
    return sendBytes(request, reply, response, (damaged) => services.reportDamage(damaged, request.id))
  }
}

/** Responds with a file about one person. */
function createDownloadResponder(bound: BoundOperation, services: Services): RouteHandler {
  const { ctx, handler } = bound
  return async (request, reply) => {
    const { values } = readParameters(bound, request, services)
    const download = (await handler(openPersonalScope(ctx, ctx.database.read, request), values)) as Download
    return sendDownload(request, reply, download, (damaged) => services.reportDamage(damaged, request.id))
  }
}

const createWriteResponder =
  (bound: BoundOperation, services: Services): RouteHandler =>
  async (request, reply) =>
    sendJson(reply, bound.ctx, await readAndWrite(bound, request, reply, services), services.budget)

/** Reads the body of a request, and executes the write. */
export async function readAndWrite(
  bound: BoundOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<WriteResult> {
  // The files of the input are discarded once the write has settled, so it is awaited here.
  await using input = await readInput(bound, services.readPath(bound, request), request, reply, services)
  const result = await write(bound, input, request, services)
  for (const mail of result.mails) {
    const send = () => services.sendMail(mail, request.id)
    // Mail is sent even if the client has disconnected.
    if (reply.raw.closed) send()
    else reply.raw.once('close', send)
  }
  return result
}
