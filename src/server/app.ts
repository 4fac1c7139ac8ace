import { randomUUID } from 'node:crypto'
import { createServer, METHODS, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Registry } from 'prom-client'
import { failures } from '../contract/failures.ts'
import type { Identification } from './access/identify.ts'
import { MediaKeys } from './access/media-keys.ts'
import { Principals } from './access/principals.ts'
import { takeSecret } from './access/secret-in-path.ts'
import { auditRoutes } from './audit/routes.ts'
import { Freshness } from './cache/freshness.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { envelope, varyBySender } from './core/envelope.ts'
import type { Failure } from './core/failure.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { filesRoutes } from './files/routes.ts'
import { mountApi } from './http/api.ts'
import { sendMalformed } from './http/malformed-request.ts'
import { Pipelining } from './http/pipelining.ts'
import { drainRequestBody } from './http/request/drain-body.ts'
import { routedPath } from './http/request/path.ts'
import { type BrowserPolicy, createBrowserPolicy } from './http/response/browser-policy.ts'
import { createCorsResponse } from './http/response/cors-response.ts'
import {
  asFailure,
  failureData,
  prefersProblem,
  recordFailure,
  sendProblem,
  setFailureHeaders,
} from './http/response/failures.ts'
import { disconnectSlowReaders } from './http/response/slow-readers.ts'
import { closeAfterUpgrade } from './http/upgrade.ts'
import { createMailer, type Mail } from './mail/mailer.ts'
import { meRoutes } from './me/routes.ts'
import { newsfeedRoutes } from './newsfeed/routes.ts'
import { mountOidc } from './oidc/mount.ts'
import { createDamageReporter } from './ops/damaged-files.ts'
import { mountDocs } from './ops/docs.ts'
import { mountHealth } from './ops/health.ts'
import { createLogger } from './ops/log.ts'
import { LogSink } from './ops/log-sink.ts'
import { type MetricsOptions, mountMetrics } from './ops/metrics.ts'
import { redactPath } from './ops/redact-path.ts'
import type { ResponseRecord } from './ops/response-record.ts'
import { organizersRoutes } from './organizers/routes.ts'
import { mountPages } from './pages/pages.ts'
import { participantsRoutes } from './participants/routes.ts'
import { programRoutes } from './program/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    browserPolicy: BrowserPolicy
  }
  interface FastifyRequest {
    /** The response_code of the response, for logs and metrics; 0 for files, images and HTML. */
    responseCode: number
  }
}

const noQuery = Object.freeze({})

/** Time limit for a client to send its request headers. */
const headersTimeoutMs = 10_000

const rejectSchemas = () => () => {
  throw new Error('Route schemas are not supported; requests are validated by http/request/validate.ts.')
}

export interface AppOptions extends MetricsOptions {
  /** Destination of the log; standard output by default. */
  sink?: LogSink
}

/** The whole service over HTTP, not yet listening. */
export async function createApp(
  ctx: Context,
  { sink = new LogSink(1), registry = new Registry(), ...metrics }: AppOptions = {},
): Promise<FastifyInstance> {
  const pipelining = new Pipelining()
  const { log, logResponse, close: closeLog } = createLogger(ctx.config.logLevel, sink)
  // Fastify would create a logger for each request, or with `childLoggerFactory` check one; the few lines of a request
  // include its id explicitly.
  log.child = () => log
  const recordResponse = (record: ResponseRecord): void => {
    logResponse?.(record)
    count(record)
  }
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Requests are validated by `http/request/validate.ts`; Fastify's schema compilers are slow to load.
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
      // `http/request/query.ts` reads the query of the operations that have one.
      querystringParser: () => noQuery,
    },
    // Requests that arrive during shutdown are still served, so that clients see neither a reset nor a failure.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for requests that the router itself rejects.
      reply.raw.once('finish', () => recordResponse(responseRecord(request, reply)))
      drainRequestBody(request.raw)
      setMissingHeaders(reply, app.browserPolicy.any)
      sendFailure(ctx, asFailure(error), request, reply)
    },
    clientErrorHandler: (error, socket) => sendMalformed(error, socket, pipelining),
    serverFactory: (route) => createHttpServer(ctx.config, pipelining, route),
  })
  app.addHook('onClose', async () => closeLog())
  watchDatabase(app, ctx)
  app.decorateRequest('responseCode', 0)
  app.decorate('browserPolicy', createBrowserPolicy(ctx.config))
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('request-id', request.id)
    setMissingHeaders(reply, app.browserPolicy.any)
    drainRequestBody(request.raw)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendFailure(ctx, asFailure(error), request, reply))
  // Bodies are read by `http/request/body.ts` once the checks on the headers have passed, so Fastify must not expect
  // any.
  for (const method of METHODS) app.addHttpMethod(method, { overrideExisting: true })
  routeExpectations(app)

  const count = mountMetrics(app, ctx.config.dataDir, sink, { registry, ...metrics })
  app.addHook('onResponse', (request, reply, done) => {
    recordResponse(responseRecord(request, reply))
    done()
  })
  mountHealth(app, ctx)
  await mountDocs(app, ctx)
  const freshness = new Freshness(ctx.database)
  const principals = new Principals(ctx.database, freshness, ctx.clock)
  app.addHook('onClose', async () => principals.close())
  const mediaKeys = ctx.config.access === 'members' ? await MediaKeys.open(ctx, freshness) : undefined
  const identification: Identification = { freshness, principals, mediaKeys }
  const runner = mountApi(
    app,
    ctx,
    { ...identification, reportDamage: createDamageReporter(log, registry), sendMail: createSendMail(ctx, log) },
    {
      ...newsfeedRoutes,
      ...filesRoutes(ctx),
      ...programRoutes(ctx, freshness),
      ...feedbackRoutes,
      ...participantsRoutes(ctx),
      ...meRoutes(ctx),
      ...signInRoutes,
      ...organizersRoutes,
      ...auditRoutes,
    },
  )
  if (ctx.config.access !== 'open') {
    const pages = await mountPages(app, ctx.config, runner)
    mountOidc(app, ctx, pages, identification)
  }
  return app
}

/** @param list names and values, alternating */
function setMissingHeaders(reply: FastifyReply, list: readonly string[]): void {
  for (let index = 0; index < list.length; index += 2) {
    const [name = '', value] = list.slice(index, index + 2)
    if (!reply.hasHeader(name)) reply.header(name, value)
  }
}

/** Creates a function that sends a mail in the background; nobody waits for it, and it is not sent again. */
function createSendMail({ config: { mail: target } }: Context, log: FastifyBaseLogger) {
  const mailer = target && createMailer(target, { print: (text) => log.info(text) })
  return (mail: Mail, reqId: string): void => {
    mailer?.send(mail).catch((error: Error) => log.warn({ reqId }, error.message))
  }
}

/** Interval of damage checks, for instances without writes or readiness probes. */
const damageCheckIntervalMs = 10_000

/** Logs damage to the database once, when it is found. */
function watchDatabase(app: FastifyInstance, { database: { damage } }: Context): void {
  damage.onFound(({ message }) => app.log.error(`${message} Until then, writes are rejected.`))
  const timer = setInterval(() => damage.check(), damageCheckIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

const responseRecord = (request: FastifyRequest, reply: FastifyReply): ResponseRecord => ({
  requestId: request.id,
  operation: request.operation,
  method: request.method,
  credential: request.credential,
  path: request.is404 ? redactPath(routedPath(request.url)) : undefined,
  responseCode: request.responseCode,
  status: reply.statusCode,
  ms: reply.elapsedTime,
})

/**
 * How long an idle connection stays open: longer than the idle timeout of proxies, so that the proxy closes it first.
 */
const keepAliveTimeoutMs = 72_000

/** Serves `/k/{secret}/api` as `/api`, for clients that send no header. Nothing else is below `/k`. */
const serveAddresses =
  (route: RequestListener): RequestListener =>
  (request, response) => {
    takeSecret(request)
    route(request, response)
  }

function createHttpServer(config: Config, pipelining: Pipelining, routeAny: RequestListener): Server {
  const route = config.access === 'open' ? routeAny : serveAddresses(routeAny)
  const server: Server = createServer(
    {
      requireHostHeader: false,
      // Otherwise Node drops all but the first `Host` or `Authorization`; two are an error, and joined they are malformed.
      joinDuplicateHeaders: true,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 2_000,
      shouldUpgradeCallback: () => closeAfterUpgrade(server),
      ...(config.corsOrigins.size > 0 && { ServerResponse: createCorsResponse(config) }),
    },
    (request, response) => pipelining.handle(request, response, route),
  )
  server.keepAliveTimeout = keepAliveTimeoutMs
  const idleCheck = setInterval(() => pipelining.closeIdle(), keepAliveTimeoutMs).unref()
  server.once('close', () => clearInterval(idleCheck))
  // Without a listener, Node closes the connection before the responses to earlier requests.
  server.on('connect', (_request, socket: Socket) => pipelining.afterLastResponse(socket, () => socket.destroySoon()))
  // Time limits on bodies are enforced by `http/request/body.ts`; a large upload over a slow line may take any time.
  server.requestTimeout = 0
  disconnectSlowReaders(server)
  return server
}

/**
 * Under `/api` a failure is an envelope with status 200 unless the client prefers RFC 9457; elsewhere it is always RFC
 * 9457.
 */
function sendFailure(ctx: Context, failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { reason, fields } = failure
  const { code, message } = failures[reason]
  recordFailure(request, failure)
  reply.header('request-id', request.id).header('vary', ctx.config.access === 'open' ? 'Accept' : varyBySender)
  setFailureHeaders(reply, failure)
  if (!isUnderApi(request) || prefersProblem(request.headers.accept)) return sendProblem(request, reply, failure)
  const dataText = JSON.stringify(failureData(reason, fields, request.id))
  return reply
    .code(200)
    .header('content-type', 'application/json; charset=UTF-8')
    .send(envelope(ctx.signatureKey, code, dataText, ctx.timestamp(ctx.clock()), message))
}

const isUnderApi = ({ url }: FastifyRequest): boolean => /^\/api(\/|$)/.test(routedPath(url))

/**
 * Hands requests with an `Expect` to their routes. By default, Node responds to an unknown one itself, without an
 * envelope, and sends `100 Continue` before any header is checked (RFC 9110, 10.1.1).
 */
function routeExpectations({ server }: FastifyInstance): void {
  for (const event of ['checkExpectation', 'checkContinue'])
    server.on(event, (request, response) => server.emit('request', request, response))
}
