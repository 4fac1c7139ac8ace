import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { responseCodes } from '../../contract/envelope.ts'
import { type Data, type JsonWriteName, type OperationName, operationsIn } from '../../contract/index.ts'
import { isMedia } from '../../contract/operation.ts'
import { assertMayUse } from '../access/authorize.ts'
import { readBrowserCookie } from '../access/browser-cookie.ts'
import { createIdentify, type Sender, toleratingUnusable } from '../access/identify.ts'
import type { MediaKeys } from '../access/media-keys.ts'
import type { Principals } from '../access/principals.ts'
import { takenSecret } from '../access/secret-in-path.ts'
import { UnusableCredential } from '../access/unusable-credential.ts'
import type { ReportDamage } from '../blobs/damaged-blob.ts'
import { type CachedOperationName, isCached } from '../cache/dependencies.ts'
import type { Freshness } from '../cache/freshness.ts'
import { ResponseCache } from '../cache/response-cache.ts'
import type { Context } from '../context.ts'
import { Failure } from '../core/failure.ts'
import type { Principal } from '../core/principal.ts'
import { ResponseBudget } from '../core/response-budget.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Position } from '../db/open.ts'
import type { Mail } from '../mail/mailer.ts'
import type { ByteResponse, Download, Handlers } from '../operation.ts'
import { openScope, type PersonalScope } from '../scope.ts'
import type { AnyHandler, AnyPreparation, BoundOperation } from './bound-operation.ts'
import { findReplayRead } from './replay-reads.ts'
import { assertSize, limitsOf } from './request/body.ts'
import { BodyBudget } from './request/body-budget.ts'
import { createClientReader, createNetworkReader } from './request/client.ts'
import { assertAdmittedOrigin } from './request/cross-origin.ts'
import { createBaseUrlReader } from './request/host.ts'
import { assertExpectation, assertValid, createPathReader, readInput } from './request/input.ts'
import { compileChecks } from './request/validate.ts'
import { sendCached, sendJson } from './response/respond.ts'
import { sendBytes } from './response/send-bytes.ts'
import { sendDownload } from './response/send-download.ts'
import { signedEnvelope } from './signed-envelope.ts'
import { mountUnknownRoutes } from './unknown-routes.ts'
import { type WriteResult, type WriteServices, write } from './write.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The base of absolute links. */
    baseUrl: string
    /** Undefined until the request is identified. */
    principal: Principal
    /** The id of the credential that was sent, also if it cannot be used any more; 0 for none. */
    credential: number
    /** Of the log, if it was read to identify the principal. */
    position: Position | undefined
    /** See `Viewer`. */
    mediaKey: string
    /** Undefined outside of the contract. */
    operation: OperationName | undefined
  }
}

/** Services that the operations share with the rest of the process. */
export interface ApiServices {
  freshness: Freshness
  principals: Principals
  reportDamage: ReportDamage
  /** Logs why a mail was not sent. */
  sendMail: (mail: Mail, requestId: string) => void
  /** Absent where images and files are for anyone. */
  mediaKeys: MediaKeys | undefined
}

/** Services shared by all operations of a process. */
interface Services extends WriteServices {
  cache: ResponseCache
  freshness: Freshness
  bodyBudget: BodyBudget
  readPath: ReturnType<typeof createPathReader>
  reportDamage: ReportDamage
  sendMail: ApiServices['sendMail']
}

/** Runs operations for other routes: with the checks of the API, in the same transactions. */
export interface OperationRunner {
  /** A hook that checks a request as if it were one to this operation. */
  admit(name: OperationName): onRequestHookHandler
  /** Reads what is for the sender of the request only. */
  read<N extends PersonalReadName>(name: N, request: FastifyRequest): Promise<Data<N>>
  /**
   * Reads the body of the request, and executes the write. The names of parameters in the route are those of the
   * operation.
   */
  write(name: JsonWriteName, request: FastifyRequest, reply: FastifyReply): Promise<WriteResult>
}

/** Reads about whoever is signed in. */
type PersonalReadName = 'getMe' | 'listCredentials'

/**
 * Mounts a route for every operation of the contract. Each request is checked in this order: route, expectation, host
 * and origin, announced size, identity, access, body, fields, existence. `app.ts` turns whatever is thrown into a failure
 * response.
 */
export function mountApi(
  app: FastifyInstance,
  ctx: Context,
  { freshness, principals, reportDamage, mediaKeys, sendMail }: ApiServices,
  handlers: Handlers<OperationName>,
): OperationRunner {
  const operationsByName = bindOperations(ctx, handlers)
  const readNetwork = createClientReader(ctx.config.trustedProxies)
  const readKnownNetwork = createNetworkReader(ctx.config.trustedProxies)
  const budget = new ResponseBudget(readNetwork)
  const services: Services = {
    cache: new ResponseCache({
      database: ctx.database,
      freshness,
      signatureKey: ctx.signatureKey,
      maxBytes: ctx.config.pageCacheBytes,
      budget,
      read: (key, db) => operationsByName[key.name].handler(key.input, openScope(ctx, db, key)),
    }),
    freshness,
    bodyBudget: new BodyBudget(ctx.config.limits),
    readPath: createPathReader(),
    keysInFlight: new Set(),
    budget,
    reportDamage,
    log: app.log,
    readClient: (request) => ({ browser: readBrowserCookie(request), network: readKnownNetwork(request) }),
    sendMail,
  }
  const identify = createIdentify(ctx, principals, mediaKeys)
  const readBaseUrl = createBaseUrlReader(ctx.config)
  app.decorateRequest('baseUrl', '')
  app.decorateRequest('principal')
  app.decorateRequest('credential', 0)
  app.decorateRequest('position')
  app.decorateRequest('mediaKey', '')
  app.decorateRequest('operation')
  const admit = ({ name, operation, limits }: BoundOperation): onRequestHookHandler => {
    const identifySender = 'signIn' in operation.access ? toleratingUnusable(identify) : identify
    const acceptsMediaKey = isMedia(operation)
    const admitSender = (request: FastifyRequest, reply: FastifyReply, sender: Sender): void => {
      request.principal = sender.principal
      request.position = sender.position
      request.mediaKey = sender.mediaKey
      nameCredential(request, reply, sender.principal.credential)
      assertMayUse(operation, sender.principal, ctx.config.access)
    }
    return (request, reply, done) => {
      request.operation = name
      assertExpectation(request.raw)
      request.baseUrl = readBaseUrl(request.raw)
      if (operation.method !== 'GET') assertAdmittedOrigin(request.raw, operation.access, ctx.config)
      if (operation.body) assertSize(request.raw, limits)
      const sender = identifySender(request.raw, acceptsMediaKey)
      // Only a request with a credential waits.
      if (sender instanceof Promise)
        return void sender
          .then((identified) => admitSender(request, reply, identified))
          .then(
            () => done(),
            (error) => {
              if (error instanceof UnusableCredential) nameCredential(request, reply, error.credential)
              done(error)
            },
          )
      admitSender(request, reply, sender)
      done()
    }
  }
  for (const bound of Object.values(operationsByName))
    app.route({
      // Fastify's own HEAD routes would report a wrong length for bytes.
      method: bound.operation.method === 'GET' ? ['GET', 'HEAD'] : bound.operation.method,
      exposeHeadRoute: false,
      url: bound.operation.path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest: admit(bound),
      handler: createHandler(bound, services),
    })
  mountUnknownRoutes(app, ctx.config.access)
  return {
    admit: (name) => admit(operationsByName[name]),
    // The data of an operation are typed by its name; those of a lookup cannot be.
    read: (name, request) => readPersonal(operationsByName[name], {}, request) as Promise<Data<typeof name>>,
    write: (name, request, reply) => readAndWrite(operationsByName[name], request, reply, services),
  }
}

const viewerOf = ({ principal: { audience }, baseUrl, mediaKey }: FastifyRequest): Viewer => ({
  audience,
  baseUrl,
  mediaKey,
})

/** The id of the credential in the path. */
const credentialHeader = 'summit-credential'

/**
 * Names the credential of a request in our log and, where the path contained it, to the proxy, whose log must not have
 * that.
 */
function nameCredential(request: FastifyRequest, reply: FastifyReply, credential: number): void {
  request.credential = credential
  if (takenSecret(request.raw) !== undefined) reply.raw.setHeader(credentialHeader, credential)
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function createHandler(bound: BoundOperation, services: Services): RouteHandler {
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
      const body = signedEnvelope(ctx, responseCodes.success, JSON.stringify(data))
      return sendJson(
        reply,
        { responseCode: responseCodes.success, body, replayed: false, cookies: [], mails: [] },
        budget,
      )
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

const readPersonal = ({ ctx, handler }: BoundOperation, values: object, request: FastifyRequest) =>
  ctx.database.snapshot((db) => {
    const scope: PersonalScope = { ...openScope(ctx, db, viewerOf(request)), principal: request.principal }
    return handler(values, scope)
  })

/** Handles reads of files and images. */
function createBytesHandler(bound: BoundOperation, { readPath, reportDamage }: Services): RouteHandler {
  const { ctx, handler } = bound
  return async (request, reply) => {
    try {
      const { values, fields } = readPath(bound, request)
      assertValid(fields)
      const scope = openScope(ctx, ctx.database.read, viewerOf(request))
      const response = (await handler(values, scope)) as ByteResponse
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
      const download = (await handler(values, scope)) as Download
      return sendDownload(request, reply, download, (damaged) => reportDamage(damaged, request.id))
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

function createWriteHandler(bound: BoundOperation, services: Services): RouteHandler {
  return async (request, reply) => {
    try {
      return sendJson(reply, await readAndWrite(bound, request, reply, services), services.budget)
    } catch (error) {
      return ignoreIfLate(error, request, reply)
    }
  }
}

async function readAndWrite(
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
    // Also if the client has gone.
    if (reply.raw.closed) send()
    else reply.raw.once('close', send)
  }
  return result
}

/**
 * A failure after the response was sent, as for a request that was rejected at shutdown, is not an error. Fastify would
 * log it as one.
 */
export function ignoreIfLate(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(reply.sent && error instanceof Failure)) throw error
  request.log.debug({ reqId: request.id, err: error }, 'request failed after its response')
}

function bindOperations(ctx: Context, handlers: Handlers<OperationName>): Record<OperationName, BoundOperation> {
  const bound = operationsIn(ctx.config.access).map(([name, operation]) => {
    // Each handler is typed by its operation; a lookup by name cannot be.
    const handlerOf = (operationName: string) => handlers[operationName as OperationName] as AnyHandler
    const handler = handlers[name]
    const prepare = 'prepare' in handler ? (handler.prepare as AnyPreparation) : undefined
    const read = findReplayRead(name)
    const checks = compileChecks(operation, ctx.config.limits)
    const role = 'role' in operation.access ? operation.access.role : 'owner'
    const replayRead = read && handlerOf(read)
    const limits = limitsOf(operation, ctx.config.limits)
    return [name, { ctx, name, operation, handler: handlerOf(name), prepare, replayRead, checks, limits, role }]
  })
  return Object.fromEntries(bound)
}
