import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { failures } from '../contract/failures.ts'
import type { OperationName } from '../contract/index.ts'
import type { Identification } from './auth/identify.ts'
import { MediaKeys } from './auth/media-keys.ts'
import { Principals } from './auth/principals.ts'
import type { Context } from './context.ts'
import { editingRoutes } from './domains/editing/routes.ts'
import { feedbackRoutes } from './domains/feedback/routes.ts'
import { filesRoutes } from './domains/files/routes.ts'
import { createImageStorage } from './domains/files/store-image.ts'
import { FilePlanner } from './domains/import/by-request/file-planner.ts'
import { importRoutes } from './domains/import/by-request/routes.ts'
import { meRoutes } from './domains/me/routes.ts'
import { newsfeedRoutes } from './domains/newsfeed/routes.ts'
import { organizersRoutes } from './domains/organizers/routes.ts'
import { overviewRoutes } from './domains/overview/routes.ts'
import { createPhotoPreparation } from './domains/participants/photo-changes.ts'
import { participantsRoutes } from './domains/participants/routes.ts'
import { programRoutes } from './domains/program/routes.ts'
import { programExportRoutes } from './domains/program-export/routes.ts'
import { signInRoutes } from './domains/sign-in/routes.ts'
import { starsRoutes } from './domains/stars/routes.ts'
import { mountApi } from './http/api.ts'
import { mountOidc } from './http/oidc/mount.ts'
import { mountDocs } from './http/operations/docs.ts'
import { createDamageReporter, mountHealth, watchDatabase } from './http/operations/health.ts'
import { failWith, prefersPage, sendPageFailure, sendPlainFailure } from './http/pages/page.ts'
import { mountPages } from './http/pages/pages.ts'
import { Pipelining } from './http/pipelining.ts'
import { drainRequestBody } from './http/request/body-stream.ts'
import { routedPath } from './http/request/path.ts'
import { applyBrowserPolicy, createBrowserPolicy } from './http/response/browser-policy.ts'
import { asFailure, sendFailure } from './http/response/failures.ts'
import { createHttpServer, routeExpectations, sendMalformed } from './http/server.ts'
import { auditRoutes } from './log/audit/routes.ts'
import { Freshness } from './log/changes/freshness.ts'
import type { Handlers } from './operation.ts'
import { createResizer } from './platform/images/resizer.ts'
import { createLogger } from './platform/logging/log.ts'
import { LogSink } from './platform/logging/log-sink.ts'
import { redactPath } from './platform/logging/redact-path.ts'
import type { ResponseRecord } from './platform/logging/response-log.ts'
import { createMailer, type Mail } from './platform/mail/mailer.ts'
import { type MetricsOptions, mountMetrics } from './platform/metrics/metrics.ts'

const noQuery = Object.freeze({})

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
  const app = Fastify({
    genReqId: () => randomUUID(),
    // Requests are validated by `http/request/validate.ts`; Fastify's schema compilers are slow to load.
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
      // `http/request/input.ts` reads the query of the operations that have one.
      querystringParser: () => noQuery,
    },
    // Requests that arrive during shutdown are still served, so that clients see neither a reset nor a failure.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for requests that the router itself rejects.
      watchResponse(request, reply)
      drainRequestBody(request.raw)
      applyBrowserPolicy(reply)
      if (prefersPage(request)) failWith((failure) => sendPlainFailure(reply, failure))(error, request, reply)
      else sendFailure(ctx, asFailure(error), request, reply)
    },
    clientErrorHandler: (error, socket) => sendMalformed(error, socket, pipelining),
    serverFactory: (route) => createHttpServer(ctx.config, pipelining, route),
  })
  // Given this logger or an `onResponse` hook, Fastify would take a tenth more time for a cached response (decision 48).
  // `request.log` and `reply.log` discard everything, so use `app.log`.
  app.log = log
  app.addHook('onClose', async () => closeLog())
  watchDatabase(app, ctx)
  app.decorateRequest('responseCode', 0)
  app.decorate('browserPolicy', createBrowserPolicy(ctx.config))
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('request-id', request.id)
    applyBrowserPolicy(reply)
    drainRequestBody(request.raw)
    done()
  })
  // Bodies are read by `http/request/body.ts` once the checks on the headers have passed, so Fastify must not expect
  // any.
  for (const method of METHODS) app.addHttpMethod(method, { overrideExisting: true })
  routeExpectations(app.server)

  const countResponse = mountMetrics(app, ctx.config.dataDir, sink, { registry, ...metrics })
  const watchResponse = (request: FastifyRequest, reply: FastifyReply): void => {
    const startedAt = performance.now()
    reply.raw.on('close', () => {
      // The client disconnected before the end.
      if (!reply.raw.writableFinished) return
      const record = describeResponse(request, reply, performance.now() - startedAt)
      logResponse?.(record)
      countResponse(record)
    })
    // Without a listener, writing to a response that has ended would end the process.
    reply.raw.on('error', (err) => log.error({ reqId: request.id, err }, 'response failed'))
  }
  app.addHook('onRequest', (request, reply, done) => {
    watchResponse(request, reply)
    done()
  })
  mountHealth(app, ctx)
  await mountDocs(app, ctx)
  const freshness = new Freshness(ctx.database)
  const principals = new Principals(ctx.database, freshness, ctx.clock)
  app.addHook('onClose', async () => principals.close())
  const mediaKeys = ctx.config.access === 'members' ? await MediaKeys.open(ctx, freshness) : undefined
  const planner = new FilePlanner()
  app.addHook('onClose', () => planner.close())
  const identification: Identification = { freshness, principals, mediaKeys }
  const runner = mountApi(
    app,
    ctx,
    { ...identification, reportDamage: createDamageReporter(log, registry), sendMail: createSendMail(ctx, log) },
    createHandlers(ctx, freshness, planner),
  )
  const { pages, account } = await mountPages(app, ctx, runner, freshness)
  if (account) mountOidc(app, ctx, account, identification, account.url)
  app.setErrorHandler((error, request, reply) =>
    prefersPage(request)
      ? failWith((failure) => sendPageFailure(reply, pages, failure))(error, request, reply)
      : sendFailure(ctx, asFailure(error), request, reply),
  )
  return app
}

/** The handlers of all operations. */
export function createHandlers(ctx: Context, freshness: Freshness, planner: FilePlanner): Handlers<OperationName> {
  const resize = createResizer()
  const storeImage = createImageStorage(resize)
  const preparePhoto = createPhotoPreparation(ctx, storeImage)
  return {
    ...newsfeedRoutes,
    ...filesRoutes(ctx),
    ...programRoutes(ctx, freshness),
    ...programExportRoutes(ctx, freshness),
    ...starsRoutes,
    ...feedbackRoutes,
    ...participantsRoutes(ctx, freshness, preparePhoto),
    ...meRoutes(ctx, preparePhoto),
    ...signInRoutes,
    ...organizersRoutes,
    ...overviewRoutes(ctx),
    ...editingRoutes(ctx, storeImage),
    ...importRoutes(planner, resize),
    ...auditRoutes,
  }
}

const describeResponse = (request: FastifyRequest, reply: FastifyReply, ms: number): ResponseRecord => ({
  requestId: request.id,
  operation: request.operation,
  method: request.method,
  credential: request.credential,
  path: request.responseCode === failures.NO_SUCH_ROUTE.code ? redactPath(routedPath(request.url)) : undefined,
  responseCode: request.responseCode,
  status: reply.statusCode,
  ms,
})

/** Creates a function that sends a mail in the background; nobody waits for it, and it is not sent again. */
function createSendMail({ config: { mail: target } }: Context, log: FastifyBaseLogger) {
  const mailer = target && createMailer(target, { print: (text) => log.info(text) })
  return (mail: Mail, reqId: string): void => {
    mailer?.send(mail).catch((error: Error) => log.warn({ reqId }, error.message))
  }
}
