import type { AccessMode } from '../contract/access.ts'
import { type FailureEnvelope, type Problem, responseCodes } from '../contract/envelope.ts'
import {
  type BytesOperationName,
  type Data,
  type Input,
  type JsonOperationName,
  type OperationName,
  type Operations,
  operations,
} from '../contract/index.ts'
import { type BodyOf, type Operation, pathOf, type SuccessCode } from '../contract/operation.ts'
import { type FormFiles, toForm } from './form.ts'

/**
 * The parameters and body members of a request, in one object. Where people sign in, the members that name the author
 * are optional.
 * @typeParam A the setting `ACCESS` of the server
 */
export type Request<N extends OperationName, A extends AccessMode = 'open'> = Simplify<
  A extends 'open' ? Input<N> : Omit<Input<N>, ActorOf<N>> & Partial<Pick<BodyOf<Operations[N]>, ActorOf<N>>>
>
type Simplify<T> = { [K in keyof T]: T[K] }

/** The members of the body that name the author. */
type ActorOf<N extends OperationName> = Operations[N]['access'] extends { actor: readonly (infer M)[] }
  ? Extract<M, keyof BodyOf<Operations[N]>>
  : never

/** The one object of a success envelope. */
export interface Success<N extends JsonOperationName> {
  response_code: SuccessCode<Operations[N]>
  data: Data<N>
  system: { created_at: string; signature: string; message: string; redirect_url?: number }
}
/** The one object of a failure envelope. */
export type Failure = FailureEnvelope[0]

/** A response: its envelope, the exact text of its body (for {@link verify}) and its headers. */
export interface EnvelopeResponse<N extends JsonOperationName> {
  envelope: Success<N> | Failure
  text: string
  headers: Headers
}

/** The service responded with a failure. */
export class SummitFailure extends Error {
  override readonly name = 'SummitFailure'
  readonly code: Failure['response_code']
  readonly data: Failure['data']
  /** After so many seconds a retry may succeed; undefined if the service does not say. */
  readonly retryAfterSeconds: number | undefined

  constructor({ response_code, data }: Pick<Failure, 'response_code' | 'data'>, headers: Headers) {
    super(data.message)
    this.code = response_code
    this.data = data
    this.retryAfterSeconds = retryAfterIn(headers)
  }
}

/** The response is not an envelope. It probably comes from a misconfigured or failing proxy, not from the service. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  /** The HTTP status. */
  readonly status: number
  /** The beginning of the body. */
  readonly excerpt: string
  /** See {@link SummitFailure.retryAfterSeconds}: a proxy that limits requests says it, too. */
  readonly retryAfterSeconds: number | undefined

  constructor({ status, headers }: Response, text: string) {
    super(`Unexpected response with status ${status}: not an envelope of Summit. Check the base URL and any proxy.`)
    this.status = status
    this.excerpt = text.slice(0, 200)
    this.retryAfterSeconds = retryAfterIn(headers)
  }
}

/** `Retry-After` in seconds; the service sends no dates. */
function retryAfterIn(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? ''
  return /^\d+$/.test(value) ? Number(value) : undefined
}

/** There was no response in time. The write may still be stored: repeat it with the same `idempotencyKey`. */
export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout'

  constructor(ms: number) {
    super(`No response within ${ms} ms.`)
  }
}

export interface ClientOptions<A extends AccessMode = 'open'> {
  /**
   * The setting `ACCESS` of the server, by default `open`. It changes types only: with `public` and `members`, members
   * such as `created_by` are optional.
   */
  access?: A
  /** Sent with every request. `Accept` is ignored: the client sets its own. */
  headers?: Record<string, string>
  /** How long to wait for a response, by default 60,000 ms; `Infinity` waits as long as the platform does. */
  timeoutMs?: number
  fetch?: typeof fetch
}

interface RequestOptions {
  headers?: Record<string, string>
  /** Cancels the request: it then fails with the error of `fetch`, usually an `AbortError`. */
  signal?: AbortSignal
  /**
   * In place of that of the client, which does not apply to requests with `files`. A download has to begin within this
   * time; `signal` also ends one that has begun.
   */
  timeoutMs?: number
}

interface CallOptions extends RequestOptions, FormFiles {
  /** Makes it safe to repeat this write within 24 hours. */
  idempotencyKey?: string
}

type Methods<A extends AccessMode> = {
  /** @throws SummitFailure, UnexpectedResponse, RequestTimeout, or the error of `fetch` if there is no response */
  [N in JsonOperationName]: (request: Request<N, A>, options?: CallOptions) => Promise<Data<N>>
} & {
  /**
   * The response to read the bytes from: as `body`, or with `arrayBuffer()` or `blob()`.
   * @throws likewise
   */
  [N in BytesOperationName]: (request: Request<N, A>, options?: RequestOptions) => Promise<Response>
}

/** @typeParam A the setting `ACCESS` of the server */
export type Client<A extends AccessMode = 'open'> = Methods<A> & {
  /**
   * Calls an operation by name and returns its envelope, also that of a failure.
   * @throws UnexpectedResponse, RequestTimeout, or the error of `fetch`
   */
  call<N extends JsonOperationName>(
    name: N,
    request: Request<N, A>,
    options?: CallOptions,
  ): Promise<EnvelopeResponse<N>>
}

/**
 * A client of the service, typed by its contract.
 * @param baseUrl the URL above `/api`, which may be a personal one
 */
export function createClient<A extends AccessMode = 'open'>(
  baseUrl: string,
  { headers = {}, timeoutMs = defaultTimeoutMs, fetch = globalThis.fetch }: ClientOptions<A> = {},
): Client<A> {
  const base = baseUrl.replace(/\/+$/, '')

  const call: Client<A>['call'] = async (name, request, options = {}) => {
    const operation: Operation = operations[name]
    const { method, params } = operation
    const members = Object.fromEntries(Object.entries(request).filter(([member]) => !(member in params.properties)))
    const hasBody = method === 'POST' || method === 'PUT'
    const hasFiles = (options.files ?? options.photo ?? options.file) !== undefined
    const body = !hasBody ? undefined : hasFiles ? toForm(members, options) : JSON.stringify(members)
    // How long an upload takes depends on the network.
    const limits = { timeoutMs: hasFiles ? Infinity : timeoutMs, ...options }
    return inTime(limits, async (signal) => {
      const response = await fetch(base + pathOf(operation, request), {
        method,
        headers: headersOf(headers, options, typeof body === 'string'),
        signal,
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      const envelope = readEnvelope<typeof name>(text)
      if (!envelope) throw new UnexpectedResponse(response, text)
      return { envelope, text, headers: response.headers }
    })
  }

  const download = async (
    name: BytesOperationName,
    request: Request<BytesOperationName>,
    options: RequestOptions = {},
  ): Promise<Response> => {
    const url = base + pathOf(operations[name], request)
    const all = { ...headersOf(headers, options, false), accept: 'application/problem+json, */*;q=0.5' }
    return inTime({ timeoutMs, ...options, isStream: true }, async (signal) => {
      const response = await fetch(url, { headers: all, signal })
      if (response.status >= 400) throw toError(response, await response.text())
      return response
    })
  }

  const methods = (Object.keys(operations) as OperationName[]).map((name) => [
    name,
    isJson(name)
      ? async (request: Request<typeof name, A>, options?: CallOptions) => dataOf(await call(name, request, options))
      : (request: Request<typeof name>, options?: RequestOptions) => download(name, request, options),
  ])
  return { ...Object.fromEntries(methods), call }
}

const defaultTimeoutMs = 60_000

/** The longest delay of a timer. */
const maxDelayMs = 2 ** 31 - 1

/**
 * Runs a request with a signal that aborts it when its time is over, or when the caller's does. `AbortSignal.any` and
 * `AbortSignal.timeout` are missing in React Native.
 * @param limits `isStream` if the result is still to be read, which the caller's signal then aborts, too
 * @throws RequestTimeout
 */
async function inTime<T>(
  limits: { signal?: AbortSignal; timeoutMs: number; isStream?: boolean },
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs, isStream = false } = limits
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  let isLate = false
  const expire = () => {
    isLate = true
    controller.abort()
  }
  const timer = timeoutMs <= maxDelayMs ? setTimeout(expire, timeoutMs) : undefined
  try {
    return await request(controller.signal)
  } catch (error) {
    throw isLate ? new RequestTimeout(timeoutMs) : error
  } finally {
    clearTimeout(timer)
    // The bytes of a download are read later.
    if (!isStream) signal?.removeEventListener('abort', abort)
  }
}

/** Whether an operation returns an envelope, rather than bytes. */
const isJson = (name: OperationName): name is JsonOperationName => 'data' in operations[name]

/** The error of a download. Its failures are problems (RFC 9457), as the bytes of a file may look like an envelope. */
function toError(response: Response, text: string): SummitFailure | UnexpectedResponse {
  const problem = response.headers.get('content-type')?.startsWith('application/problem+json') && readJson(text)
  if (!problem || typeof problem !== 'object' || !('code' in problem)) return new UnexpectedResponse(response, text)
  const { code, title, reason, fields, request_id } = problem as Problem
  return new SummitFailure(
    { response_code: code, data: { message: title, reason, fields, request_id } },
    response.headers,
  )
}

/** @throws SummitFailure */
function dataOf<N extends JsonOperationName>({ envelope, headers }: EnvelopeResponse<N>): Data<N> {
  if (isSuccess(envelope)) return envelope.data
  throw new SummitFailure(envelope, headers)
}

const successCodes: ReadonlySet<number> = new Set(Object.values(responseCodes))

export const isSuccess = <N extends JsonOperationName>(envelope: Success<N> | Failure): envelope is Success<N> =>
  successCodes.has(envelope.response_code)

/** Always accepts only JSON: a failure in the format of RFC 9457 is not an envelope. */
function headersOf(defaults: Record<string, string>, { headers, idempotencyKey }: CallOptions, hasJson: boolean) {
  const all = new Headers(defaults)
  if (hasJson) all.set('content-type', 'application/json')
  if (idempotencyKey) all.set('idempotency-key', idempotencyKey)
  for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
  all.set('accept', 'application/json')
  return Object.fromEntries(all)
}

/** Parses the one object of an envelope; undefined for any other text. Its members are not validated. */
function readEnvelope<N extends JsonOperationName>(text: string): Success<N> | Failure | undefined {
  const value = readJson(text)
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  const isEnvelope = typeof first === 'object' && first !== null && 'response_code' in first && 'data' in first
  return isEnvelope ? (first as Success<N> | Failure) : undefined
}

/** Undefined for any other text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
