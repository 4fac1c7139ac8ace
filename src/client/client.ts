import type { FailureEnvelope } from '../contract/envelope.ts'
import { type Data, type Input, type JsonOperationName, type Operations, operations } from '../contract/index.ts'
import { toForm } from './form.ts'

/** What a request to this operation says: its parameters and members in one object. */
export type Request<N extends JsonOperationName> = Simplify<Input<N>>
type Simplify<T> = { [K in keyof T]: T[K] }

/** The one object of a success envelope (specification, 2.1). */
export interface Success<N extends JsonOperationName> {
  response_code: Operations[N]['method'] extends 'DELETE' ? 2000 : 1000
  data: Data<N>
  system: { created_at: string; signature: string; message: string; redirect_url?: number }
}
export type Failed = FailureEnvelope[0]

/** An answer, with the exact text it came as (for {@link verify}) and its headers. */
export interface Answer<N extends JsonOperationName> {
  envelope: Success<N> | Failed
  text: string
  headers: Headers
}

/** The service answered with a failure. */
export class SummitFailure extends Error {
  override readonly name = 'SummitFailure'
  readonly code: number
  readonly data: Failed['data']

  constructor({ response_code, data }: Failed) {
    super(data.message)
    this.code = response_code
    this.data = data
  }
}

/** What came is no envelope, so it is hardly from the service: a proxy before it may be wrongly set or out of order. */
export class NotAnEnvelope extends Error {
  override readonly name = 'NotAnEnvelope'
  /** Of HTTP. */
  readonly status: number
  /** The beginning of the body. */
  readonly excerpt: string

  constructor(status: number, text: string) {
    super(`The answer, with status ${status}, is not one of Summit's.`)
    this.status = status
    this.excerpt = text.slice(0, 200)
  }
}

export interface ClientOptions {
  /** Sent with every request, except `Accept`, which is the client's own. */
  headers?: Record<string, string>
  fetch?: typeof fetch
}

interface CallOptions {
  /** Makes a repetition of this write harmless for 24 hours. */
  idempotencyKey?: string
  /** Sent as file parts of a multipart body, next to the members. */
  files?: File[]
  headers?: Record<string, string>
}

type Methods = {
  /** @throws SummitFailure, NotAnEnvelope, or what `fetch` throws when there is no answer */
  [N in JsonOperationName]: (request: Request<N>, options?: CallOptions) => Promise<Data<N>>
}

export interface Client extends Methods {
  /** Any operation by name, success or failure, without throwing on the latter. @throws NotAnEnvelope */
  call<N extends JsonOperationName>(name: N, request: Request<N>, options?: CallOptions): Promise<Answer<N>>
}

/**
 * A client of the service, typed by its contract.
 * @param baseUrl all paths are below it, so a personal base URL works unchanged
 */
export function createClient(baseUrl: string, { headers = {}, fetch = globalThis.fetch }: ClientOptions = {}): Client {
  const base = baseUrl.replace(/\/+$/, '')

  const call: Client['call'] = async (name, request, options = {}) => {
    const { method, path } = operations[name]
    const rest: Record<string, unknown> = { ...request }
    const url = path.replace(/\{(\w+)\}/g, (_, param: string) => {
      const value = rest[param]
      delete rest[param]
      return encodeURIComponent(String(value))
    })
    const hasBody = method === 'POST' || method === 'PUT'
    const body = !hasBody ? undefined : options.files ? toForm(rest, options.files) : JSON.stringify(rest)
    const response = await fetch(base + url, {
      method,
      headers: headersOf(headers, options, typeof body === 'string'),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const envelope = readEnvelope<typeof name>(text)
    if (!envelope) throw new NotAnEnvelope(response.status, text)
    return { envelope, text, headers: response.headers }
  }

  const methods = Object.keys(operations)
    .filter(isJson)
    .map((name) => {
      return [
        name,
        async (request: Request<typeof name>, options?: CallOptions) => dataOf(await call(name, request, options)),
      ]
    })
  return { ...Object.fromEntries(methods), call }
}

/** What answers bytes is no operation of the client: its address is a link in the records, to be fetched as it is. */
const isJson = (name: string): name is JsonOperationName => 'data' in operations[name as keyof Operations]

/** @throws SummitFailure */
function dataOf<N extends JsonOperationName>({ envelope }: Answer<N>): Data<N> {
  if (isSuccess(envelope)) return envelope.data
  throw new SummitFailure(envelope)
}

export const isSuccess = <N extends JsonOperationName>(envelope: Success<N> | Failed): envelope is Success<N> =>
  envelope.response_code === 1000 || envelope.response_code === 2000

/** A failure as RFC 9457 would be no envelope, so we ask for JSON whatever else we are told to send. */
function headersOf(always: Record<string, string>, { headers, idempotencyKey }: CallOptions, hasJson: boolean) {
  const all = new Headers(always)
  if (hasJson) all.set('content-type', 'application/json')
  if (idempotencyKey) all.set('idempotency-key', idempotencyKey)
  for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
  all.set('accept', 'application/json')
  return Object.fromEntries(all)
}

/** The one object of an envelope, undefined for any other text. That its members are as promised is the service's word. */
function readEnvelope<N extends JsonOperationName>(text: string): Success<N> | Failed | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : undefined
    const isEnvelope = typeof first === 'object' && first !== null && 'response_code' in first && 'data' in first
    return isEnvelope ? (first as Success<N> | Failed) : undefined
  } catch {
    return undefined
  }
}
