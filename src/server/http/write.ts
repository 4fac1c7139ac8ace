import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type Operation, successCodeOf } from '../../contract/operation.ts'
import { acceptsFiles } from '../../contract/uploads.ts'
import { orIfUnusable } from '../auth/identify.ts'
import { assertMayName, assertMayUse } from '../auth/policies.ts'
import { findCurrent } from '../auth/principals.ts'
import { Failure, mayBeStored } from '../core/failure.ts'
import { type Client, type Principal, unknownClient, type Viewer, visitor } from '../core/principal.ts'
import { confirmStored, removeStored, storeUploads } from '../domains/files/uploads.ts'
import {
  findMentions,
  findStoredResponse,
  storeResponse,
  type WriteResponse,
} from '../log/idempotency/stored-responses.ts'
import type { StoreBlob } from '../operation.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import { openWriteScope, type RequestScope, type WriteScope } from '../scope.ts'
import { storeTimeoutMs } from '../storage/blobs/blob-store.ts'
import type { Db } from '../storage/db/tables.ts'
import type { ResponseBudget } from './budgets/response-budget.ts'
import type { WriteBudget } from './budgets/write-budget.ts'
import {
  computeFingerprint,
  type KeysInFlight,
  markMediaKeys,
  omitLongText,
  omittedText,
  ownKey,
  withKeyInFlight,
  withMediaKeys,
} from './idempotency.ts'
import type { BoundOperation } from './request/bound-operation.ts'
import type { OperationInput } from './request/input.ts'
import type { JsonResponse } from './response/respond.ts'

/** The result of a write, once it is durable. */
export interface WriteResult extends JsonResponse {
  /** To be sent after the response; none if it was executed before. */
  mails: readonly Mail[]
}

/** Services shared by all writes of a process. */
export interface WriteServices {
  keysInFlight: KeysInFlight
  writeBudget: WriteBudget
  budget: ResponseBudget
  log: FastifyBaseLogger
  readClient: (request: IncomingMessage) => Client
  /** The media key of the person who signs in: only participants have a photo. See `Viewer`. */
  keyAfterSignIn: () => Promise<string>
}

/** Executes a write once: a retry with the same idempotency key gets the stored response. */
export async function write(
  bound: BoundOperation,
  input: OperationInput,
  request: FastifyRequest,
  services: WriteServices,
): Promise<WriteResult> {
  const { ctx, role } = bound
  const { principal, id: requestId, baseUrl, headers } = request
  const { access } = bound.operation
  services.writeBudget.spendAsUser(access, principal, input.values)
  const mediaKey = 'signIn' in access ? await services.keyAfterSignIn() : request.mediaKey
  const viewer: Viewer = { audience: principal.audience, baseUrl, mediaKey }
  const client = 'signIn' in access || 'own' in access ? services.readClient(request.raw) : unknownClient
  const { idempotencyKey } = input
  const sender = { requestId, principal, role, headers, idempotencyKey, client }
  const scope = openWriteScope(ctx, ctx.database.read, viewer, sender)
  // A stored response has no cookie, and would tell its reader who has signed in.
  const key =
    idempotencyKey === undefined || 'signIn' in access ? undefined : ownKey(idempotencyKey, principal, client.browser)
  const job: WriteJob = { scope, request: request.raw, mediaKey, input, key, services }
  return key === undefined
    ? execute(bound, job)
    : withKeyInFlight(services.keysInFlight, key, () => execute(bound, job))
}

interface WriteJob {
  scope: WriteScope
  request: IncomingMessage
  /** See `Viewer`. */
  mediaKey: string
  input: OperationInput
  /** The idempotency key, if the client sent one. */
  key: string | undefined
  services: WriteServices
}

/**
 * Stores the files, then the rows and the response for the idempotency key in one transaction. Steps that most writes
 * skip are not awaited by the others: that would take a twentieth of a write's time.
 */
async function execute(bound: BoundOperation, job: WriteJob): Promise<WriteResult> {
  const { ctx, name, operation, handler, prepare } = bound
  const { scope, mediaKey, key } = job
  const { log } = job.services
  const { values, uploads, photoPart, filePart } = job.input
  const fingerprint = key === undefined ? '' : computeFingerprint(name, job.input)
  // A body may take minutes to arrive, and a key may have been revoked since.
  if (key !== undefined && scope.principal.credential !== 0)
    await findSender(bound, scope.principal, ctx.database.read, ctx.clock())
  const stored =
    key === undefined ? undefined : await findStoredResponse(ctx.database.read, key, fingerprint, scope.now)
  if (stored) return replay(bound, stored, job)
  /** Of what is stored so far. */
  const blobKeys: string[] = []
  const storeBlob: StoreBlob = async (blobKey, bytes) => {
    const staged = await ctx.blobs.stage([bytes], bytes.length)
    try {
      await staged.store(blobKey, performance.now() + storeTimeoutMs(bytes.length))
      blobKeys.push(blobKey)
    } finally {
      await staged.discard()
    }
  }
  let effects: (() => Promise<void>)[] = []
  const runEffects = async () => {
    for (const effect of effects)
      await effect().catch((err: unknown) =>
        log.error({ reqId: scope.requestId, err }, 'a step after the commit of a write failed'),
      )
  }
  try {
    const files = uploads.length > 0 && !prepare ? await storeUploads(uploads, blobKeys) : []
    const parts = {
      ...(photoPart && { photoPart }),
      ...(filePart && { filePart }),
      ...(acceptsFiles(operation) && { uploads }),
    }
    const handle = prepare && (await prepare(scope, { ...values, ...parts }, storeBlob))
    if (handle && typeof handle !== 'function')
      return { ...toResponse(operation, handle, job), replayed: false, cookies: scope.cookies, mails: [] }
    const response = await ctx.database.transaction(async (db): Promise<WriteResult | Failure> => {
      // A body may take minutes to arrive: timestamps are those of the transaction, in the order of the ids.
      const now = ctx.clock()
      // The transaction may run twice.
      effects = []
      const principal =
        scope.principal.credential === 0 ? scope.principal : await findSender(bound, scope.principal, db, now)
      const afterCommit: RequestScope['afterCommit'] = (effect) => effects.push(effect)
      const writeScope: RequestScope = { ...scope, principal, db, now, cookies: [], mails: [], afterCommit }
      if (scope.principal.app) await assertMayName(writeScope, operation.access, values)
      // Another process may have executed it while this one was storing the files.
      const executed = key === undefined ? undefined : await findStoredResponse(db, key, fingerprint, writeScope.now)
      if (executed) throw new AlreadyExecuted(executed)
      const data = handle
        ? await handle(writeScope)
        : await handler(writeScope, acceptsFiles(operation) ? { ...values, files } : values)
      if (data instanceof Failure) return data
      const response = toResponse(operation, data, job)
      if (key !== undefined) {
        const stored = markMediaKeys(toStored(bound, response, data), mediaKey)
        const mentions = findMentions(stored.dataText === omittedText ? {} : data)
        const holder = principal.participant
        await storeResponse(db, { key, fingerprint, holder, mentions, ...stored }, writeScope.now)
      }
      return { ...response, replayed: false, cookies: writeScope.cookies, mails: writeScope.mails }
    })
    if (response instanceof Failure) throw response
    if (blobKeys.length > 0)
      await confirmStored(blobKeys, ctx.blobs, (err) =>
        log.warn({ reqId: scope.requestId, err }, 'Stored file not confirmed; the next start will confirm it.'),
      )
    await runEffects()
    return response
  } catch (error) {
    // The rows may have been committed: the next start checks which files have one.
    if (mayBeStored(error)) {
      await runEffects()
      throw error
    }
    await removeStored(blobKeys, ctx.blobs, (err) =>
      log.warn({ reqId: scope.requestId, err }, 'File of a failed write not removed; will retry.'),
    )
    if (error instanceof AlreadyExecuted) return replay(bound, error.response, job)
    throw error
  }
}

/** @throws Failure if the response is too large, by itself or next to others that are being sent */
function toResponse(operation: Operation, data: object, { request, services: { budget } }: WriteJob): WriteResponse {
  const response = { responseCode: successCodeOf(operation), dataText: JSON.stringify(data) }
  const size = Buffer.byteLength(response.dataText)
  budget.assertAvailable(size)
  budget.assertAvailableTo(request, response, size)
  return response
}

/**
 * The sender as they are by now, if they still may use the operation.
 * @throws Failure UNAUTHENTICATED, CREDENTIAL_EXPIRED, FORBIDDEN
 */
async function findSender({ ctx, operation }: BoundOperation, principal: Principal, db: Db, now: number) {
  const find = () => findCurrent(db, principal, now)
  const current = 'signIn' in operation.access ? await orIfUnusable(find, visitor) : await find()
  assertMayUse(operation, current, ctx.config.access)
  return current
}

/** A response as it is stored for retries: without a secret, and without a text that can be read again. */
function toStored({ operation: { secret }, replayRead }: BoundOperation, response: WriteResponse, data: object) {
  if (secret === undefined) return replayRead ? omitLongText(response) : response
  const dataText = JSON.stringify(data, (name, value: unknown) => (name === secret ? '' : value))
  return { ...response, dataText }
}

/**
 * Returns the stored response. If its text was too long to be stored, the record is read as it is now.
 * @throws Failure as a read of the record does, such as TOPIC_NOT_FOUND if it has been deleted since
 */
async function replay(
  { ctx, operation, replayRead }: BoundOperation,
  stored: WriteResponse,
  { scope, request, mediaKey, input, services }: WriteJob,
): Promise<WriteResult> {
  services.writeBudget.refund(operation.access, scope.principal, input.values)
  if (!replayRead || stored.dataText !== omittedText) return { ...withMediaKeys(stored, mediaKey), ...replayed }
  const read = async (db: Db) => JSON.stringify(await replayRead({ ...scope, db }, input.values))
  const dataText = await ctx.database.snapshot(read)
  const response = { ...stored, dataText, ...replayed }
  const size = Buffer.byteLength(dataText)
  services.budget.assertAvailable(size)
  services.budget.assertAvailableTo(request, response, size)
  return response
}

const replayed = { replayed: true, cookies: [], mails: [] }

/** Rolls a transaction back because the write has already been executed under the same key. */
class AlreadyExecuted extends Error {
  readonly response: WriteResponse

  constructor(response: WriteResponse) {
    super('write already executed under this idempotency key')
    this.response = response
  }
}
