import type { AccessMode } from '../contract/access.ts'
import { type FailureEnvelope, responseCodes } from '../contract/envelope.ts'
import { type Data, type Input, type JsonOperationName, type Operations, operations } from '../contract/index.ts'
import { type BodyOf, type Operation, pathOf, type SuccessCode } from '../contract/operation.ts'
import { toForm } from './form.ts'

/**
 * The parameters and body members of a request, in one object. Where people sign in, the members that name the author
 * are optional.
 * @typeParam A the setting `ACCESS` of the server
 */
export type Request<N extends JsonOperationName, A extends AccessMode = 'open'> = Simplify<
  A extends 'open' ? Input<N> : Omit<Input<N>, ActorOf<N>> & Partial<Pick<BodyOf<Operations[N]>, ActorOf<N>>>
>
type Simplify<T> = { [K in keyof T]: T[K] }

/** The members of the body that name the author. */
type ActorOf<N extends JsonOperationName> = Operations[N]['access'] extends { actor: readonly (infer M)[] }
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

  constructor({ response_code, data }: Failure) {
    super(data.message)
    this.code = response_code
    this.data = data
  }
}

/** The response is not an envelope. It probably comes from a misconfigured or failing proxy, not from the service. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  /** The HTTP status. */
  readonly status: number
  /** The beginning of the body. */
  readonly excerpt: string

  constructor(status: number, text: string) {
    super(`Unexpected response with status ${status}: not an envelope of Summit. Check the base URL and any proxy.`)
    this.status = status
    this.excerpt = text.slice(0, 200)
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
  fetch?: typeof fetch
}

interface CallOptions {
  /** Makes it safe to repeat this write within 24 hours. */
  idempotencyKey?: string
  /**
   * Files to attach, sent as file parts of a multipart body together with the members: for operations with
   * `uploaded_files`, which may have links besides. A `File` is one that a user has chosen in a page, or
   * `new File([bytes], 'slides.pdf', { type: 'application/pdf' })`.
   */
  files?: File[]
  /** The image of a photo, sent as a file part: for `updateParticipant` and `updateMe`. */
  photo?: File
  headers?: Record<string, string>
}

type Methods<A extends AccessMode> = {
  /** @throws SummitFailure, UnexpectedResponse, or the error of `fetch` if there is no response */
  [N in JsonOperationName]: (request: Request<N, A>, options?: CallOptions) => Promise<Data<N>>
}

/** @typeParam A the setting `ACCESS` of the server */
export type Client<A extends AccessMode = 'open'> = Methods<A> & {
  /** Calls an operation by name and returns its envelope, also that of a failure. @throws UnexpectedResponse */
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
  { headers = {}, fetch = globalThis.fetch }: ClientOptions<A> = {},
): Client<A> {
  const base = baseUrl.replace(/\/+$/, '')

  const call: Client<A>['call'] = async (name, request, options = {}) => {
    const operation: Operation = operations[name]
    const { method, params } = operation
    const members = Object.fromEntries(Object.entries(request).filter(([member]) => !(member in params.properties)))
    const hasBody = method === 'POST' || method === 'PUT'
    const hasFiles = options.files !== undefined || options.photo !== undefined
    const body = !hasBody ? undefined : hasFiles ? toForm(members, options) : JSON.stringify(members)
    const response = await fetch(base + pathOf(operation, request), {
      method,
      headers: headersOf(headers, options, typeof body === 'string'),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const envelope = readEnvelope<typeof name>(text)
    if (!envelope) throw new UnexpectedResponse(response.status, text)
    return { envelope, text, headers: response.headers }
  }

  const methods = Object.keys(operations)
    .filter(isJson)
    .map((name) => {
      return [
        name,
        async (request: Request<typeof name, A>, options?: CallOptions) => dataOf(await call(name, request, options)),
      ]
    })
  return { ...Object.fromEntries(methods), call }
}

/** Operations that return bytes are not methods of the client: records link to them. */
const isJson = (name: string): name is JsonOperationName => 'data' in operations[name as keyof Operations]

/** @throws SummitFailure */
function dataOf<N extends JsonOperationName>({ envelope }: EnvelopeResponse<N>): Data<N> {
  if (isSuccess(envelope)) return envelope.data
  throw new SummitFailure(envelope)
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
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : undefined
    const isEnvelope = typeof first === 'object' && first !== null && 'response_code' in first && 'data' in first
    return isEnvelope ? (first as Success<N> | Failure) : undefined
  } catch {
    return undefined
  }
}
