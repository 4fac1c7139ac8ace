import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FailedField } from '../../../contract/envelope.ts'
import { type Operation, pathOf } from '../../../contract/operation.ts'
import { acceptsFiles, uploadsMember } from '../../../contract/uploads.ts'
import { Failure } from '../../core/failure.ts'
import { memoize } from '../../core/memoize.ts'
import { discardAll, readUploads, type Upload, unexpectedFile } from '../../files/uploads.ts'
import type { BoundOperation } from '../bound-operation.ts'
import { idempotencyKeyOf } from '../idempotency.ts'
import { type Body, readBody } from './body.ts'
import type { BodyBudget } from './body-budget.ts'
import type { Checked } from './validate.ts'

/** What a write is asked to do: checked, with its files staged. They are discarded with it, whatever becomes of the request. */
export interface OperationInput extends AsyncDisposable {
  readonly values: Readonly<Record<string, unknown>>
  readonly uploads: readonly Upload[]
  readonly idempotencyKey: string | undefined
}

/** What a path says: its parameters, checked, and the path as the contract writes it. */
export interface PathInput extends Checked {
  readonly path: string
}

/** Paths whose checked parameters are remembered. */
const maxPaths = 10_000
/** Longer paths are not worth the memory. */
const maxPathLength = 200

type Bound = Pick<BoundOperation, 'name' | 'operation' | 'checks'>
type Addressed = Pick<FastifyRequest, 'url' | 'params'>

/** Reads the parameters of a path. To check them takes longer than to look them up, and they depend on the path alone. */
export function pathReader() {
  const check = (_key: string, { checks, operation }: Bound, { params }: Addressed): PathInput => {
    const { values, fields } = checks.path(params as Record<string, unknown>)
    return { values, fields, path: pathOf(operation, values) }
  }
  const remembered = memoize(maxPaths, check)
  return (bound: Bound, request: Addressed): PathInput => {
    // One path may lead to several operations, by its method.
    const key = `${bound.name} ${withoutQuery(request.url)}`
    return (key.length > maxPathLength ? check : remembered)(key, bound, request)
  }
}

function withoutQuery(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/**
 * Reads a write: its path, body, files and idempotency key.
 * @throws Failure VALIDATION_FAILED with every field that is wrong, or what {@link readBody} throws
 */
export async function readInput(
  { ctx, checks, operation }: BoundOperation,
  path: PathInput,
  request: FastifyRequest,
  reply: FastifyReply,
  memory: BodyBudget,
): Promise<OperationInput> {
  const { limits } = ctx.config
  const invite = () => {
    if (expectsContinue(request.raw)) reply.raw.writeContinue()
  }
  const body = operation.body ? await readBody(request.raw, ctx.blobs, limits, memory, invite) : noBody
  const uploads: Upload[] = []
  const discard = async () => {
    if (body.parts.length + uploads.length > 0) await discardAll([...body.parts, ...uploads])
  }
  try {
    const { values, fields } = checks.body(body.members)
    const uploadFields: FailedField[] = strayFilesOf(operation, body).map(unexpectedFile)
    if (acceptsFiles(operation) && bringsFiles(body)) {
      const given = { member: body.members?.[uploadsMember], parts: body.parts, isUpdate: operation.method === 'PUT' }
      const read = await readUploads(given, ctx.blobs, limits)
      uploads.push(...read.uploads)
      uploadFields.push(...read.fields)
    }
    const { key, fields: keyFields } = idempotencyKeyOf(request.raw.headers['idempotency-key'])
    assertValid([...path.fields, ...fields, ...uploadFields, ...keyFields])
    return { values: { ...values, ...path.values }, uploads, idempotencyKey: key, [Symbol.asyncDispose]: discard }
  } catch (error) {
    await discard()
    throw error
  }
}

const noBody: Body = { members: {}, parts: [], strayFiles: [] }

/** Whether the client waits for `100 Continue` before it sends its body (RFC 9110, 10.1.1). */
const expectsContinue = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersionMinor > 0

/** @throws Failure VALIDATION_FAILED where a field is wrong */
export function assertValid(fields: readonly FailedField[]): void {
  if (fields.length > 0) throw new Failure('VALIDATION_FAILED', { fields: [...fields] })
}

const bringsFiles = ({ members, parts }: Body): boolean => members?.[uploadsMember] !== undefined || parts.length > 0

/** The names of the fields under which files came that the operation does not take. */
const strayFilesOf = (operation: Operation, { parts, strayFiles }: Body): string[] =>
  acceptsFiles(operation) ? strayFiles : [...parts.map(({ field }) => field), ...strayFiles]
