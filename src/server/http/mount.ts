import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FailedField, responseCodes } from '../../contract/envelope.ts'
import { type OperationName, type Operations, operations } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { Failure, mayBeStored } from '../failure.ts'
import {
  confirmStored,
  discardAll,
  type NewFile,
  readUploads,
  removeStored,
  storeUploads,
  type Upload,
} from '../files/uploads.ts'
import { Links } from '../links.ts'
import { isPage, type PageName, type Part, partsOf } from '../pages/dependencies.ts'
import type { Pages, Wanted } from '../pages/pages.ts'
import type { Scope } from '../scope.ts'
import { baseUrlOf } from './base-url.ts'
import { type Body, readBody } from './body.ts'
import { envelope, jsonHeaders, successMessage } from './envelope.ts'
import type { ByteAnswer, Handlers } from './handlers.ts'
import {
  type Answer,
  findAnswer,
  fingerprintOf,
  idempotencyKeyOf,
  type KeysInFlight,
  keepAnswer,
  whileInFlight,
} from './idempotency.ts'
import type { KnownPages } from './known-pages.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { pageKey, pathOf } from './page-key.ts'
import { sendBytes } from './send-bytes.ts'
import { compileCheck } from './validate.ts'

/**
 * Serves every operation of the contract with its handler. The order of checks is: route, size, identity, parse,
 * validate, exists (decisions, "Failures"); what is thrown on the way becomes a failure in `app.ts`.
 */
export function mountOperations(
  app: FastifyInstance,
  ctx: Context,
  { pages, known }: Reads,
  handlers: Handlers<keyof Operations>,
): void {
  const inFlight: KeysInFlight = new Set()
  for (const name of Object.keys(operations) as OperationName[]) {
    const operation: Operation = operations[name]
    // The types of the contract tie each handler to its operation; here they are all alike.
    const handler = handlers[name] as AnyHandler
    const mounted = { ctx, name, operation, handler, check: compileCheck(operation, ctx.config.limits), inFlight }
    app.route({
      // Fastify's own HEAD routes would say that bytes have no length.
      method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
      exposeHeadRoute: false,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      handler: readerOrWriter(mounted, { pages, known }),
    })
  }
  refuseOtherMethods(app)
}

/** What answers reads of pages. */
interface Reads {
  pages: Pages
  known: KnownPages
}

type AnyHandler = (input: object, scope: Scope) => Promise<object>

interface Mounted {
  ctx: Context
  name: OperationName
  operation: Operation
  handler: AnyHandler
  check: ReturnType<typeof compileCheck>
  inFlight: KeysInFlight
}

function scopeOf(ctx: Context, request: FastifyRequest, db: Db): Scope {
  return {
    db,
    now: ctx.clock(),
    links: new Links(baseUrlOf(request.raw, ctx.config.publicUrl)),
    timestamp: ctx.timestamp,
    dayOfWeek: ctx.config.dayOfWeek,
    requestId: request.id,
  }
}

function readerOrWriter(mounted: Mounted, reads: Reads) {
  const { name, operation } = mounted
  if (operation.method !== 'GET') return writer(mounted)
  return isPage(name) ? pageReader(mounted, name, reads) : bytesReader(mounted)
}

function readRequest({ ctx, check }: Mounted, request: FastifyRequest) {
  const scope = scopeOf(ctx, request, ctx.database.read)
  const { values, fields } = check(request.params as Record<string, unknown>, {})
  if (fields.length > 0) throw new Failure('VALIDATION_FAILED', { fields })
  return { scope, values }
}

function bytesReader(mounted: Mounted) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { scope, values } = readRequest(mounted, request)
    return sendBytes(request, reply, (await mounted.handler(values, scope)) as ByteAnswer)
  }
}

function pageReader(mounted: Mounted, name: PageName, { pages, known }: Reads) {
  const { ctx, operation, handler } = mounted
  const partsOfPage = partsOf[name] as (values: object, data?: object) => Part[]
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { scope, values } = readRequest(mounted, request)
    const key = pageKey(request.headers.host, pathOf(operation, values))
    const wanted: Wanted = {
      key,
      name,
      partsOf: (data) => partsOfPage(values, data),
      make: (db) => handler(values, { ...scope, db, now: ctx.clock() }),
    }
    const page = await pages.get(wanted)
    known.remember(wanted)
    const body = page.at(ctx.timestamp(ctx.clock()))
    page.lend()
    return sendJson(reply, responseCodes.success).send(body)
  }
}

function writer(mounted: Mounted) {
  const { ctx, operation } = mounted
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const scope = scopeOf(ctx, request, ctx.database.read)
    const { key, fields } = idempotencyKeyOf(request.headers['idempotency-key'])
    const body = operation.body ? await readBody(request.raw, ctx.blobs, ctx.config.limits) : { members: {}, parts: [] }
    const uploads: Upload[] = []
    try {
      const values = await accept(mounted, request, body, uploads, fields)
      const answer = await whileInFlight(mounted.inFlight, key, () =>
        write(mounted, { scope, values, uploads, key, log: request.log }),
      )
      if (answer.replayed) reply.header('idempotency-replayed', 'true')
      return send(ctx, reply, answer)
    } finally {
      await discardAll([...body.parts, ...uploads])
    }
  }
}

/**
 * Checks what the request says, all of it; what its `uploaded_files` hold is added to `uploads`.
 * @param inHeaders what is wrong with its headers
 */
async function accept(
  { ctx, check, operation }: Mounted,
  request: FastifyRequest,
  body: Body,
  uploads: Upload[],
  inHeaders: FailedField[],
) {
  const { values, fields } = check(request.params as Record<string, unknown>, body.members)
  if (takesFiles(operation)) {
    const read = await readUploads(body.members?.uploaded_files, body.parts, ctx.blobs, ctx.config.limits)
    uploads.push(...read.uploads)
    fields.push(...read.fields)
  }
  fields.push(...inHeaders)
  if (fields.length > 0) throw new Failure('VALIDATION_FAILED', { fields })
  return values
}

const takesFiles = ({ body }: Operation): boolean => body !== undefined && 'uploaded_files' in body.properties

interface Write {
  scope: Scope
  values: object
  uploads: Upload[]
  key: string | undefined
  log: FastifyBaseLogger
}

/** Stores the files, then the rows and the answer to the idempotency key in one transaction. */
async function write({ ctx, name, operation, handler }: Mounted, { scope, values, uploads, key, log }: Write) {
  const fingerprint = key === undefined ? '' : fingerprintOf(name, values, uploads)
  const known = key === undefined ? undefined : await findAnswer(ctx.database.read, key, fingerprint, scope.now)
  if (known) return { ...known, replayed: true }
  const files: NewFile[] = []
  try {
    await storeUploads(uploads, files)
    const answer = await ctx.database.transaction(async (db): Promise<Answer> => {
      // A body may take minutes to arrive: what is written is of the moment of writing, in the order of the ids.
      const moment = { ...scope, db, now: ctx.clock() }
      // Another process may have done it while this one was storing the files.
      const done = key === undefined ? undefined : await findAnswer(db, key, fingerprint, moment.now)
      if (done) throw new AnsweredAlready(done)
      const data = await handler(takesFiles(operation) ? { ...values, files } : values, moment)
      const responseCode = operation.method === 'DELETE' ? responseCodes.deleted : responseCodes.success
      const answer = { responseCode, dataText: JSON.stringify(data) }
      if (key !== undefined) await keepAnswer(db, key, fingerprint, answer, moment.now)
      return answer
    })
    await confirmStored(files, ctx.blobs, (err) =>
      log.warn({ reqId: scope.requestId, err }, 'could not confirm a file'),
    )
    return { ...answer, replayed: false }
  } catch (error) {
    // What may have a row is left to the next start, which sees whether it has.
    if (mayBeStored(error)) throw error
    await removeStored(files, ctx.blobs, (err) =>
      log.warn({ reqId: scope.requestId, err }, 'could not remove a file of a failed write yet'),
    )
    if (error instanceof AnsweredAlready) return { ...error.answer, replayed: true }
    throw error
  }
}

/** The write was done before, under the same key. */
class AnsweredAlready extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('the key was answered already')
    this.answer = answer
  }
}

function send(ctx: Context, reply: FastifyReply, { responseCode, dataText }: Answer): FastifyReply {
  const createdAt = ctx.timestamp(ctx.clock())
  const body = envelope(ctx.signatureKey, responseCode, dataText, createdAt, successMessage(responseCode))
  return sendJson(reply, responseCode).send(body)
}

function sendJson(reply: FastifyReply, responseCode: number): FastifyReply {
  reply.request.responseCode = responseCode
  return reply.header('vary', jsonHeaders.vary).header('content-type', jsonHeaders['content-type'])
}
