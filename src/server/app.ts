import { randomUUID } from 'node:crypto'
import { createServer, METHODS, type RequestListener, type Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Registry } from 'prom-client'
import { failures, httpStatusOf } from '../contract/failures.ts'
import { Freshness } from './cache/freshness.ts'
import type { Context } from './context.ts'
import { envelope } from './core/envelope.ts'
import { Failure } from './core/failure.ts'
import { DatabaseDamaged } from './db/damage.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { filesRoutes } from './files/routes.ts'
import { mountApi } from './http/api.ts'
import { sendMalformed } from './http/malformed-request.ts'
import { sendNotFound } from './http/method-not-allowed.ts'
import { Pipelining } from './http/pipelining.ts'
import { drainRequestBody } from './http/request/drain-body.ts'
import { pathOfAddress } from './http/request/path.ts'
import { asFailure, failureData, prefersProblem, sendProblem, setFailureHeaders } from './http/response/failures.ts'
import { disconnectSlowReaders } from './http/response/slow-readers.ts'
import { closeAfterUpgrade } from './http/upgrade.ts'
import { newsfeedRoutes } from './newsfeed/routes.ts'
import { damagedFileReporter } from './ops/damaged-files.ts'
import { mountDocs } from './ops/docs.ts'
import { mountHealth } from './ops/health.ts'
import { createLogger } from './ops/log.ts'
import { LogSink } from './ops/log-sink.ts'
import { type MetricsOptions, mountMetrics } from './ops/metrics.ts'
import { redactPath } from './ops/redact-path.ts'
import type { ResponseRecord } from './ops/response-record.ts'
import { participantsRoutes } from './participants/routes.ts'
import { programRoutes } from './program/routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The response_code of the answer, for logs and metrics; 0 for bytes and pages. */
    responseCode: number
  }
}

/** A client that sends its headers more slowly than this is cut off. */
const headersTimeoutMs = 10_000

const refuseSchemas = () => () => {
  throw new Error('a route has a schema of Fastify; requests are checked by http/request/validate.ts')
}

export interface AppOptions extends MetricsOptions {
  /** Where the log goes; by itself to standard output. */
  sink?: LogSink
}

/** The whole service over HTTP, not yet listening. */
export async function createApp(
  ctx: Context,
  { sink = new LogSink(1), registry = new Registry(), ...metrics }: AppOptions = {},
): Promise<FastifyInstance> {
  const pipelining = new Pipelining()
  const { log, logResponse, close: closeLog } = createLogger(ctx.config.logLevel, sink)
  const recordResponse = (answered: ResponseRecord): void => {
    logResponse(answered)
    count(answered)
  }
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // The few lines about a request name it themselves: a logger for each costs more than a line.
    childLoggerFactory: (logger) => logger,
    // What requests say is checked by `http/request/validate.ts`; Fastify's own ways take long to load.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 16_384 },
    // A request that arrives while we are closing is still answered: clients see no reset and no failure.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      // What the router refuses itself passes by all hooks.
      reply.raw.once('finish', () => recordResponse(responseRecord(request, reply)))
      drainRequestBody(request.raw)
      sendFailure(ctx, asFailure(error), request, reply)
    },
    clientErrorHandler: (error, socket) => sendMalformed(error, socket, pipelining),
    serverFactory: (route) => createHttpServer((request, response) => pipelining.handle(request, response, route)),
  })
  app.addHook('onClose', async () => closeLog())
  watchDatabase(app, ctx)
  app.decorateRequest('responseCode', 0)
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('request-id', request.id)
    drainRequestBody(request.raw)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendFailure(ctx, asFailure(error), request, reply))
  app.setNotFoundHandler(sendNotFound)
  // Bodies are read by `http/request/body.ts`, after the checks that come before reading: to Fastify no method has any.
  for (const method of METHODS) app.addHttpMethod(method, { overrideExisting: true })
  refuseUnknownExpectations(app)

  const count = mountMetrics(app, ctx.config.dataDir, sink, { registry, ...metrics })
  app.addHook('onResponse', (request, reply, done) => {
    recordResponse(responseRecord(request, reply))
    done()
  })
  mountHealth(app, ctx)
  await mountDocs(app, ctx)
  const freshness = new Freshness(ctx.database)
  mountApi(
    app,
    ctx,
    { freshness, reportDamage: damagedFileReporter(log, registry) },
    {
      ...newsfeedRoutes,
      ...filesRoutes(ctx),
      ...programRoutes(ctx, freshness),
      ...feedbackRoutes,
      ...participantsRoutes,
    },
  )
  return app
}

/** How often the database is looked at where nobody writes or asks whether we are ready. */
const lookEveryMs = 10_000

/** Logs damage of the database once, when it is found. */
function watchDatabase(app: FastifyInstance, { database: { damage } }: Context): void {
  damage.onFound(({ message }) => app.log.error(`${message} Until then writes are refused.`))
  const watch = setInterval(() => damage.check(), lookEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(watch))
}

const responseRecord = (request: FastifyRequest, reply: FastifyReply): ResponseRecord => ({
  requestId: request.id,
  operation: request.routeOptions.config?.operation,
  method: request.method,
  path: request.is404 ? redactPath(pathOfAddress(request.url)) : undefined,
  responseCode: request.responseCode,
  status: reply.statusCode,
  ms: reply.elapsedTime,
})

/** How long a connection may wait for its next request: longer than proxies keep theirs, so that they end it first. */
const keepAliveTimeoutMs = 72_000

function createHttpServer(listener: RequestListener): Server {
  const server: Server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 2_000,
      shouldUpgradeCallback: () => closeAfterUpgrade(server),
    },
    listener,
  )
  server.keepAliveTimeout = keepAliveTimeoutMs
  // Bodies are watched by `http/request/body.ts`: a large upload over a slow line takes as long as it takes.
  server.requestTimeout = 0
  disconnectSlowReaders(server)
  return server
}

/** Under `/api` a failure is an envelope with status 200, unless the client prefers RFC 9457; elsewhere always that. */
function sendFailure(ctx: Context, failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { reason, fields, cause } = failure
  const { code, message } = failures[reason]
  request.responseCode = code
  if (cause !== undefined) request.log[logLevelOf(failure)]({ reqId: request.id, err: cause, reason }, 'request failed')
  reply.header('request-id', request.id).header('vary', 'Accept')
  setFailureHeaders(reply, failure)
  if (!isUnderApi(request) || prefersProblem(request.headers.accept)) return sendProblem(request, reply, failure)
  const dataText = JSON.stringify(failureData(reason, fields, request.id))
  return reply
    .code(200)
    .header('content-type', 'application/json; charset=UTF-8')
    .send(envelope(ctx.signatureKey, code, dataText, ctx.timestamp(ctx.clock()), message))
}

/** While something that we need is away every request says so, and nothing is wrong with us. */
const logLevelOf = ({ reason, cause }: Failure): 'error' | 'warn' | 'debug' => {
  // Logged when it was found, and not once more for each request.
  if (cause instanceof DatabaseDamaged) return 'debug'
  const status = httpStatusOf(reason)
  return status === 503 ? 'warn' : status >= 500 ? 'error' : 'debug'
}

const isUnderApi = ({ url }: FastifyRequest): boolean => /^\/api(\/|$)/.test(pathOfAddress(url))

/** Node would answer an `Expect` that it does not know by itself, without an envelope (RFC 9110, 10.1.1). */
function refuseUnknownExpectations(app: FastifyInstance): void {
  const { server } = app
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // `100 Continue` is sent when the body is wanted, after everything that does not need it is checked.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  app.addHook('onRequest', ({ headers: { expect }, is404 }, _reply, done) => {
    const isKnown = expect === undefined || /\b100-continue\b/i.test(expect)
    done(isKnown || is404 ? undefined : new Failure('BAD_REQUEST'))
  })
}
