import type { FastifyBaseLogger } from 'fastify'
import { type FailedField, responseCodes } from '../../contract/envelope.ts'
import type { Operation } from '../../contract/operation.ts'
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
  unexpectedFile,
} from '../files/uploads.ts'
import type { Scope } from '../scope.ts'
import { type Body, readBody } from './body.ts'
import type { BodyMemory } from './body-memory.ts'
import { refuseCrossOrigin } from './cross-origin.ts'
import { envelope, successMessage } from './envelope.ts'
import {
  type Answer,
  boundedOf,
  findAnswer,
  fingerprintOf,
  idempotencyKeyOf,
  type KeysInFlight,
  keepAnswer,
  notKept,
  whileInFlight,
} from './idempotency.ts'
import { type Asked, type Mounted, scopeOf } from './mounted.ts'
import type { Unsent } from './unsent.ts'

/** The answer to a write that is done. */
export interface Written {
  responseCode: number
  /** JSON text, signed. */
  body: string
  /** Whether it was done before, under the same idempotency key. */
  replayed: boolean
}

/** Does a write. @throws whatever is wrong, with nothing stored unless {@link mayBeStored} */
export type DoWrite = (asked: Asked) => Promise<Written>

/** What all writes of a process share. */
export interface Writing {
  inFlight: KeysInFlight
  memory: BodyMemory
  unsent: Unsent
  log: FastifyBaseLogger
}

/**
 * Makes what does the writes of an operation: reads the body, checks all of it, stores files and rows, and answers once
 * they are durable.
 */
export function writer(mounted: Mounted, { inFlight, memory, unsent, log }: Writing): DoWrite {
  const { ctx, operation } = mounted
  return async (asked) => {
    const scope = scopeOf(ctx, asked, ctx.database.read)
    refuseCrossOrigin(asked.raw, ctx.config.publicUrl)
    const { key, fields } = idempotencyKeyOf(asked.raw.headers['idempotency-key'])
    const body = operation.body
      ? await readBody(asked.raw, ctx.blobs, ctx.config.limits, memory)
      : { members: {}, parts: [], strayFiles: [] }
    const uploads: Upload[] = []
    try {
      const values = await accept(mounted, asked, body, uploads, fields)
      const write = { scope, values, uploads, key, unsent, log }
      const { responseCode, dataText, replayed } = await (key === undefined
        ? store(mounted, write)
        : whileInFlight(inFlight, key, () => store(mounted, write)))
      const createdAt = ctx.timestamp(ctx.clock())
      const message = successMessage(responseCode)
      return { responseCode, body: envelope(ctx.signatureKey, responseCode, dataText, createdAt, message), replayed }
    } finally {
      if (body.parts.length + uploads.length > 0) await discardAll([...body.parts, ...uploads])
    }
  }
}

/**
 * Checks what the request says, all of it; what its `uploaded_files` hold is added to `uploads`.
 * @param inHeaders what is wrong with its headers
 */
async function accept(
  { ctx, check, operation }: Mounted,
  { params }: Asked,
  body: Body,
  uploads: Upload[],
  inHeaders: FailedField[],
) {
  const { values, fields } = check(params, body.members)
  fields.push(...strayFilesOf(operation, body).map(unexpectedFile))
  if (takesFiles(operation) && bringsFiles(body)) {
    const given = { member: body.members?.uploaded_files, parts: body.parts, isUpdate: operation.method === 'PUT' }
    const read = await readUploads(given, ctx.blobs, ctx.config.limits)
    uploads.push(...read.uploads)
    fields.push(...read.fields)
  }
  fields.push(...inHeaders)
  if (fields.length > 0) throw new Failure('VALIDATION_FAILED', { fields })
  return values
}

const takesFiles = ({ body }: Operation): boolean => body !== undefined && 'uploaded_files' in body.properties

const bringsFiles = ({ members, parts }: Body): boolean => members?.uploaded_files !== undefined || parts.length > 0

/** The names of the fields under which files came that nobody takes. */
const strayFilesOf = (operation: Operation, { parts, strayFiles }: Body): string[] =>
  takesFiles(operation) ? strayFiles : [...parts.map(({ field }) => field), ...strayFiles]

interface Write {
  scope: Scope
  values: object
  uploads: Upload[]
  key: string | undefined
  unsent: Unsent
  log: FastifyBaseLogger
}

/**
 * Stores the files, then the rows and the answer to the idempotency key in one transaction. Of the many steps that most
 * writes need nothing of, none is awaited: that would be a twentieth of a write.
 */
async function store(mounted: Mounted, write: Write) {
  const { ctx, name, operation, handler, reread } = mounted
  const { scope, values, uploads, key, unsent, log } = write
  const fingerprint = key === undefined ? '' : fingerprintOf(name, values, uploads)
  const known = key === undefined ? undefined : await findAnswer(ctx.database.read, key, fingerprint, scope.now)
  if (known) return answerAgain(mounted, known, write)
  const files: NewFile[] = []
  try {
    if (uploads.length > 0) await storeUploads(uploads, files)
    const answer = await ctx.database.transaction(async (db): Promise<Answer> => {
      // A body may take minutes to arrive: what is written is of the moment of writing, in the order of the ids.
      const moment = { ...scope, db, now: ctx.clock() }
      // Another process may have done it while this one was storing the files.
      const done = key === undefined ? undefined : await findAnswer(db, key, fingerprint, moment.now)
      if (done) throw new AnsweredAlready(done)
      const data = await handler(takesFiles(operation) ? { ...values, files } : values, moment)
      const responseCode = operation.method === 'DELETE' ? responseCodes.deleted : responseCodes.success
      const answer = { responseCode, dataText: JSON.stringify(data) }
      unsent.refuseLarge(Buffer.byteLength(answer.dataText))
      if (key !== undefined) await keepAnswer(db, key, fingerprint, reread ? boundedOf(answer) : answer, moment.now)
      return answer
    })
    if (files.length > 0)
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
    if (error instanceof AnsweredAlready) return answerAgain(mounted, error.answer, write)
    throw error
  }
}

/**
 * The answer as it was kept. Where it was not, its record is read, as it is now.
 * @throws Failure what a read of the record does, such as TOPIC_NOT_FOUND where that has been deleted since
 */
async function answerAgain({ ctx, reread }: Mounted, kept: Answer, { scope, values, unsent }: Write) {
  if (!reread || kept.dataText !== notKept) return { ...kept, replayed: true }
  const read = async (db: Db) => JSON.stringify(await reread(values, { ...scope, db }))
  const dataText = await ctx.database.snapshot(read)
  unsent.refuseLarge(Buffer.byteLength(dataText))
  return { ...kept, dataText, replayed: true }
}

/** The write was done before, under the same key. */
class AnsweredAlready extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('the key was answered already')
    this.answer = answer
  }
}
