import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseCodes } from '../../contract/envelope.ts'
import type { ReportDamage } from '../blobs/damaged-blob.ts'
import { type CachedOperationName, isCached } from '../cache/dependencies.ts'
import type { Freshness } from '../cache/freshness.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Mail } from '../mail/mailer.ts'
import type { ByteResponse, Download } from '../operation.ts'
import { openScope, type PersonalScope } from '../scope.ts'
import type { BoundOperation } from './bound-operation.ts'
import type { BodyBudget } from './request/body-budget.ts'
import { assertValid, type createPathReader, readInput } from './request/input.ts'
import { ignoreIfLate } from './response/late-failure.ts'
import { sendCached, sendJson } from './response/respond.ts'
import { sendBytes } from './response/send-bytes.ts'
import { sendDownload } from './response/send-download.ts'
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
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const viewerOf = ({ principal: { audience }, baseUrl, mediaKey }: FastifyRequest): Viewer => ({
  audience,
  baseUrl,
  mediaKey,
})

/** Creates the handler of an operation, by what it returns. */
export function createHandler(bound: BoundOperation, services: Services): RouteHandler {
  const { name, operation } = bound
  if (operation.method !== 'GET') return createWriteHandler(bound, services)
  if (isCached(name)) return createReadHandler(bound, name, services)
  if (operation.data) return createPersonalReadHandler(bound, services)
  return 'readers' in operation.access ? createBytesHandler(bound, services) : createDownloadHandler(bound, services)
}

function createReadHandler(
  bound: BoundOperation,
  name: CachedOperationName,
  { cache, freshness, budget, readPath }: Services,
): RouteHandler {
  const { clock, timestamp } = bound.ctx
  return async (request, reply) => {
    try {
      const { values, fields, path } = readPath(bound, request)
      assertValid(fields)
      const key = { name, input: values, path, ...viewerOf(request) }
      const position = request.position ?? (await freshness.refresh())
      const response = cache.find(key) ?? (await cache.build(key, position))
      return sendCached(reply, response, timestamp(clock()), budget)
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

/** Handles reads whose result is for one person, and is never cached. */
function createPersonalReadHandler(bound: BoundOperation, { budget, readPath }: Services): RouteHandler {
  const { ctx } = bound
  return async (request, reply) => {
    try {
      const { values, fields } = readPath(bound, request)
      assertValid(fields)
      const data = await readPersonal(bound, values, request)
      const result = {
        responseCode: responseCodes.success,
        dataText: JSON.stringify(data),
        replayed: false,
        cookies: [],
      }
      return sendJson(reply, ctx, result, budget)
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

/** Executes a read whose result is for the sender of the request only. */
export const readPersonal = ({ ctx, handler }: BoundOperation, values: object, request: FastifyRequest) =>
  ctx.database.snapshot((db) => {
    const scope: PersonalScope = { ...openScope(ctx, db, viewerOf(request)), principal: request.principal }
    return handler(scope, values)
  })

/** Handles reads of files and images. */
function createBytesHandler(bound: BoundOperation, { readPath, reportDamage }: Services): RouteHandler {
  const { ctx, handler } = bound
  return async (request, reply) => {
    try {
      const { values, fields } = readPath(bound, request)
      assertValid(fields)
      const scope = openScope(ctx, ctx.database.read, viewerOf(request))
      const response = (await handler(scope, values)) as ByteResponse
      return await sendBytes(request, reply, response, (damaged) => reportDamage(damaged, request.id))
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

/** Handles reads of files about one person. */
function createDownloadHandler(bound: BoundOperation, { readPath, reportDamage }: Services): RouteHandler {
  const { ctx, handler } = bound
  return async (request, reply) => {
    try {
      const { values, fields } = readPath(bound, request)
      assertValid(fields)
      const { principal } = request
      const scope: PersonalScope = { ...openScope(ctx, ctx.database.read, viewerOf(request)), principal }
      const download = (await handler(scope, values)) as Download
      return sendDownload(request, reply, download, (damaged) => reportDamage(damaged, request.id))
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

function createWriteHandler(bound: BoundOperation, services: Services): RouteHandler {
  return async (request, reply) => {
    try {
      return sendJson(reply, bound.ctx, await readAndWrite(bound, request, reply, services), services.budget)
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

/** Reads the body of a request, and executes the write. */
export async function readAndWrite(
  bound: BoundOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<WriteResult> {
  // The files of the input are discarded once the write has settled, so it is awaited here.
  await using input = await readInput(bound, services.readPath(bound, request), request, reply, services.bodyBudget)
  const result = await write(bound, input, request, services)
  for (const mail of result.mails) {
    const send = () => services.sendMail(mail, request.id)
    // Mail is sent even if the client has disconnected.
    if (reply.raw.closed) send()
    else reply.raw.once('close', send)
  }
  return result
}
