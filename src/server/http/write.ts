import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { successCodeOf } from '../../contract/operation.ts'
import { acceptsFiles } from '../../contract/uploads.ts'
import { envelope, successMessage } from '../core/envelope.ts'
import { mayBeStored } from '../core/failure.ts'
import type { ResponseBudget } from '../core/response-budget.ts'
import type { Db } from '../db/tables.ts'
import { confirmStoredFiles, type NewFile, removeStoredFiles, storeUploads } from '../files/uploads.ts'
import { openScope, type WriteScope } from '../scope.ts'
import type { BoundOperation } from './bound-operation.ts'
import {
  boundedOf,
  findStoredResponse,
  fingerprintOf,
  type KeysInFlight,
  notStored,
  type StoredResponse,
  storeResponse,
  whileInFlight,
} from './idempotency.ts'
import type { OperationInput } from './request/input.ts'

/** What a write responds with, once it is durable. */
export interface WriteResult {
  responseCode: number
  /** JSON text, signed. */
  body: string
  /** Whether it was done before, under the same idempotency key. */
  replayed: boolean
}

/** What all writes of a process share. */
export interface WriteServices {
  keysInFlight: KeysInFlight
  budget: ResponseBudget
  log: FastifyBaseLogger
}

/** Does a write, once: under an idempotency key that was used before it responds as then. */
export async function write(
  bound: BoundOperation,
  input: OperationInput,
  request: FastifyRequest,
  services: WriteServices,
): Promise<WriteResult> {
  const { ctx } = bound
  const scope: WriteScope = { ...openScope(ctx, ctx.database.read, request.baseUrl), requestId: request.id }
  const job: WriteJob = { scope, input, ...services }
  const key = input.idempotencyKey
  const { responseCode, dataText, replayed } = await (key === undefined
    ? store(bound, job)
    : whileInFlight(services.keysInFlight, key, () => store(bound, job)))
  const createdAt = ctx.timestamp(ctx.clock())
  const message = successMessage(responseCode)
  return { responseCode, body: envelope(ctx.signatureKey, responseCode, dataText, createdAt, message), replayed }
}

interface WriteJob extends WriteServices {
  scope: WriteScope
  input: OperationInput
}

/**
 * Stores the files, then the rows and the response to the idempotency key in one transaction. Of the steps that most
 * writes do not need, none is awaited: that would be a twentieth of a write.
 */
async function store(bound: BoundOperation, job: WriteJob) {
  const { ctx, name, operation, handler, replayRead } = bound
  const { scope, budget, log } = job
  const { values, uploads, idempotencyKey: key } = job.input
  const fingerprint = key === undefined ? '' : fingerprintOf(name, values, uploads)
  const known = key === undefined ? undefined : await findStoredResponse(ctx.database.read, key, fingerprint, scope.now)
  if (known) return replay(bound, known, job)
  const files: NewFile[] = []
  try {
    if (uploads.length > 0) await storeUploads(uploads, files)
    const answer = await ctx.database.transaction(async (db): Promise<StoredResponse> => {
      // A body may take minutes to arrive: what is written is of the moment of writing, in the order of the ids.
      const moment = { ...scope, db, now: ctx.clock() }
      // Another process may have done it while this one was storing the files.
      const done = key === undefined ? undefined : await findStoredResponse(db, key, fingerprint, moment.now)
      if (done) throw new DoneBefore(done)
      const data = await handler(acceptsFiles(operation) ? { ...values, files } : values, moment)
      const responseCode = successCodeOf(operation)
      const answer = { responseCode, dataText: JSON.stringify(data) }
      budget.admit(Buffer.byteLength(answer.dataText))
      if (key !== undefined)
        await storeResponse(db, key, fingerprint, replayRead ? boundedOf(answer) : answer, moment.now)
      return answer
    })
    if (files.length > 0)
      await confirmStoredFiles(files, ctx.blobs, (err) =>
        log.warn({ reqId: scope.requestId, err }, 'could not confirm a file'),
      )
    return { ...answer, replayed: false }
  } catch (error) {
    // What may have a row is left to the next start, which sees whether it has.
    if (mayBeStored(error)) throw error
    await removeStoredFiles(files, ctx.blobs, (err) =>
      log.warn({ reqId: scope.requestId, err }, 'could not remove a file of a failed write yet'),
    )
    if (error instanceof DoneBefore) return replay(bound, error.answer, job)
    throw error
  }
}

/**
 * The response as it was stored. Where it was too long for that, its record is read, as it is now.
 * @throws Failure as a read of the record does, such as TOPIC_NOT_FOUND where that has been deleted since
 */
async function replay({ ctx, replayRead }: BoundOperation, stored: StoredResponse, { scope, input, budget }: WriteJob) {
  if (!replayRead || stored.dataText !== notStored) return { ...stored, replayed: true }
  const read = async (db: Db) => JSON.stringify(await replayRead(input.values, { ...scope, db }))
  const dataText = await ctx.database.snapshot(read)
  budget.admit(Buffer.byteLength(dataText))
  return { ...stored, dataText, replayed: true }
}

/** The write was done before, under the same key. */
class DoneBefore extends Error {
  readonly answer: StoredResponse

  constructor(answer: StoredResponse) {
    super('the write was done before')
    this.answer = answer
  }
}
