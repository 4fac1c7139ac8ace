import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FailedField } from '../../../contract/envelope.ts'
import { type Operation, pathOf } from '../../../contract/operation.ts'
import { acceptsFiles, fileMember, partOf, photoMember, uploadsMember } from '../../../contract/uploads.ts'
import { withActor } from '../../auth/policies.ts'
import { createCache } from '../../core/create-cache.ts'
import { bodyField, Failure } from '../../core/failure.ts'
import { withoutMediaKeys } from '../../core/media-key.ts'
import { discardAll, type FilePart, readUploads, unexpectedFile } from '../../domains/files/uploads.ts'
import type { Upload } from '../../operation.ts'
import type { StagedBlob } from '../../storage/blobs/blob-store.ts'
import type { BodyBudget } from '../budgets/body-budget.ts'
import { type Body, readBody } from './body.ts'
import type { BoundOperation } from './bound-operation.ts'
import { apiForm, pageForm } from './form.ts'
import type { CheckedValues, Checks } from './validate.ts'

/** The validated input of a write, with its files staged. Disposal discards the files that were not stored. */
export interface OperationInput extends AsyncDisposable {
  readonly values: Readonly<Record<string, unknown>>
  readonly uploads: readonly Upload[]
  /** The file part of a photo. */
  readonly photoPart: StagedBlob | undefined
  /** The file part of an operation that reads a file. */
  readonly filePart: FilePart | undefined
  readonly idempotencyKey: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Converts the fields of a form, as they were sent, to the members of an operation. */
export type ReadForm = (sent: Fields) => Fields | Promise<Fields>

/** The field of a form of a page with its idempotency key: browsers send no such header for a form. */
export const idempotencyField = 'idempotency_key'

/** The checked parameters of a path, and of its query if the operation has one. */
export interface PathInput extends CheckedValues {
  /** Both in their canonical form. */
  readonly path: string
}

/** Paths whose checked parameters are cached, for each method. */
const maxPaths = 10_000
/** Longer paths are not cached: they are not worth the memory. */
const maxPathLength = 200

type BoundPath = Pick<BoundOperation, 'operation' | 'checks'>
type PathRequest = Pick<FastifyRequest, 'url' | 'params'>

/** Creates a reader of path parameters. Results are cached: they depend on the path alone, and checks cost more. */
export function createPathReader() {
  // Operations may share a path if their methods differ.
  const createPathCache = () => createCache<string, PathInput>(maxPaths)
  const caches = { GET: createPathCache(), POST: createPathCache(), PUT: createPathCache(), DELETE: createPathCache() }
  const read = (path: string, { checks, operation }: BoundPath, { params }: PathRequest): PathInput => {
    const cache = caches[operation.method]
    const cached = cache.get(path)
    if (cached) return cached
    const { values, fields } = checks.path(params as Record<string, unknown>)
    const input = { values, fields, path: pathOf(operation, values) }
    if (path.length <= maxPathLength) cache.set(path, input)
    return input
  }
  return (bound: BoundPath, request: PathRequest): PathInput => {
    const path = withoutQuery(request.url)
    const input = read(path, bound, request)
    return bound.operation.query ? withQuery(input, bound, request.url.slice(path.length)) : input
  }
}

function withQuery(input: PathInput, { checks, operation }: BoundPath, query: string): PathInput {
  const read = readQuery(checks, Object.keys(operation.query?.properties ?? {}), query)
  const values = { ...input.values, ...read.values }
  return { values, fields: [...input.fields, ...read.fields], path: pathOf(operation, values) }
}

function withoutQuery(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/**
 * Reads the input of a write: its body, files and idempotency key, with the values of its path.
 * @throws Failure VALIDATION_FAILED with every invalid field, or the error of {@link readBody}
 */
export async function readInput(
  { ctx, checks, operation, limits }: BoundOperation,
  path: PathInput,
  request: FastifyRequest,
  reply: FastifyReply,
  { bodyBudget, readForm }: { bodyBudget: BodyBudget; readForm?: ReadForm | undefined },
): Promise<OperationInput> {
  const sendContinue = () => {
    if (expectsContinue(request.raw)) reply.raw.writeContinue()
  }
  const partName = partOf(operation)
  const syntax = readForm ? pageForm : apiForm
  const body = operation.body
    ? await readBody(request.raw, ctx.blobs, limits, bodyBudget, partName, syntax, sendContinue)
    : noBody
  const uploads: Upload[] = []
  const discard = async () => {
    if (body.parts.length + uploads.length > 0) await discardAll([...body.parts, ...uploads])
  }
  try {
    const sent = body.members && readForm ? await readForm(body.members) : body.members
    const received = ctx.config.access === 'open' ? sent : membersWithoutMediaKeys(sent)
    const members = withActor(operation.access, request.principal, path.values, received)
    const { values, fields } = checks.body(members)
    const uploadFields: FailedField[] = strayFilesOf(operation, body).map(unexpectedFile)
    if (acceptsFiles(operation) && hasFiles(body)) {
      const given = { member: received?.[uploadsMember], parts: body.parts, isUpdate: operation.method === 'PUT' }
      const read = await readUploads(given, ctx.blobs, limits)
      uploads.push(...(ctx.config.access === 'open' ? read.uploads : read.uploads.map(uploadWithoutMediaKeys)))
      uploadFields.push(...read.fields)
    }
    const named = partName === undefined ? [] : body.parts.filter(({ field }) => field === partName)
    const [part] = named
    if (partName === fileMember) {
      if (!part) uploadFields.push(noFile)
      if (named.length > 1) uploadFields.push(severalFiles)
    } else if (named.length + Number(named.length > 0 && photoMember in values) > 1) uploadFields.push(severalPhotos)
    const { key, fields: keyFields } = readIdempotencyKey(
      readForm ? body.members?.[idempotencyField] : request.raw.headers['idempotency-key'],
    )
    assertValid([...path.fields, ...fields, ...uploadFields, ...keyFields])
    return {
      values: { ...values, ...path.values },
      uploads,
      photoPart: partName === photoMember ? part?.staged : undefined,
      filePart: partName === fileMember ? part : undefined,
      idempotencyKey: key,
      [Symbol.asyncDispose]: discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Links of ours that a client sends back are stored without the key with which it has read them. */
const membersWithoutMediaKeys = (members: Body['members']): Body['members'] =>
  members &&
  Object.fromEntries(
    // Encoded bytes of a file may contain anything; see below. No other member that is accepted has texts in an array or object.
    Object.entries(members).map(([name, value]) => [
      name,
      name === uploadsMember || typeof value !== 'string' ? value : withoutMediaKeys(value),
    ]),
  )

const uploadWithoutMediaKeys = (upload: Upload): Upload =>
  upload.kind === 'link'
    ? { ...upload, link: withoutMediaKeys(upload.link) }
    : { ...upload, name: withoutMediaKeys(upload.name) }

const noBody: Body = { members: {}, parts: [], strayFiles: [] }

/** Reads the `Idempotency-Key` header; `fields` reports it unless it is 1 to 255 visible ASCII characters. */
function readIdempotencyKey(header: unknown): {
  key: string | undefined
  fields: FailedField[]
} {
  if (header === undefined) return { key: undefined, fields: [] }
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return { key: header, fields: [] }
  const field = 'Idempotency-Key'
  const message = `${field} must be 1 to 255 visible ASCII characters.`
  return { key: undefined, fields: [{ field, in: 'header', reason: 'NOT_A_KEY', message }] }
}

/** @throws Failure BAD_REQUEST for an unknown expectation (RFC 9110, 10.1.1) */
export function assertExpectation({ headers: { expect } }: IncomingMessage): void {
  if (expect !== undefined && !/\b100-continue\b/i.test(expect)) throw new Failure('BAD_REQUEST')
}

/** Whether the client waits for `100 Continue` before it sends its body (RFC 9110, 10.1.1). */
const expectsContinue = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersionMinor > 0

/** @throws Failure VALIDATION_FAILED if there is any invalid field */
export function assertValid(fields: readonly FailedField[]): void {
  if (fields.length > 0) throw new Failure('VALIDATION_FAILED', { fields: [...fields] })
}

const hasFiles = ({ members, parts }: Body): boolean => members?.[uploadsMember] !== undefined || parts.length > 0

const severalPhotos = bodyField(photoMember, 'REPEATED', `${photoMember} may be sent once, as a file or as text.`)

const noFile = bodyField(fileMember, 'REQUIRED', `${fileMember} is required, as a file part of a multipart form.`)

const severalFiles = bodyField(fileMember, 'REPEATED', `${fileMember} may be sent once.`)

/** The field names of files that the operation does not accept. */
function strayFilesOf(operation: Operation, { parts, strayFiles }: Body): string[] {
  if (acceptsFiles(operation)) return strayFiles
  const fields = parts.map(({ field }) => field)
  const partName = partOf(operation)
  return [...fields.filter((field) => field !== partName), ...strayFiles]
}

/**
 * Reads the query of a URL. An empty parameter counts as absent, because forms send empty fields. An unknown or repeated
 * parameter is refused: ignoring a filter would return rows that were not requested.
 * @param names of the parameters that the operation has
 * @param query with its question mark, or empty
 */
function readQuery(checks: Checks, names: readonly string[], query: string): CheckedValues {
  const sent = [...new URLSearchParams(query)].filter(([, value]) => value !== '')
  const given = Object.groupBy(sent, ([name]) => name)
  const refused = Object.entries(given).flatMap(([field, values = []]): FailedField[] => {
    if (!names.includes(field)) return [{ field, in: 'query', reason: 'UNKNOWN', message: unknownMessage(names) }]
    if (values.length === 1) return []
    return [{ field, in: 'query', reason: 'REPEATED', message: `${field} may be sent once.` }]
  })
  const { values, fields } = checks.query(Object.fromEntries(sent))
  return { values, fields: [...refused, ...fields] }
}

const unknownMessage = (names: readonly string[]): string => `There is no such parameter. Use ${names.join(', ')}.`
