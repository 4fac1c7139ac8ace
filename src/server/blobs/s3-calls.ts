import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client } from '@aws-sdk/client-s3'
import { Failure } from '../core/failure.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { S3Target } from './blobs-url.ts'

const connectMs = 2_000
const pauseMs = 200

/** A connection that nobody has used for this long may be dead without our knowing: routers forget quiet ones. */
const idleMs = 5_000

export function s3Client({ region, endpoint, forcePathStyle, credentials }: S3Target): S3Client {
  // Every slow reader of a file holds a connection; with a limit they would keep uploads waiting.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: idleMs }
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    requestHandler: { connectionTimeout: connectMs, httpAgent: agent, httpsAgent: agent },
    // The newer checksums are not known to every S3; ours is in the signature (`s3.ts`).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A body that is a stream cannot be sent twice by the library. Trying again is done here.
    maxAttempts: 1,
    // The library would wait six seconds for a `100 Continue` before it sends anything, on a connection of its own.
    expectContinueHeader: false,
    // Left to itself the library writes to the console; what goes wrong is thrown, and logged where it is caught.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  })
}

/**
 * What S3 said, or that it said nothing; the cause of a Failure. The library's own errors are not kept, as they hold
 * the request with its signature.
 */
export class S3Error extends OperatorError {
  override readonly name = 'S3Error'
  /** Of HTTP; undefined when there was no answer. */
  readonly status: number | undefined
  /** S3's or Node's name of what went wrong, such as `NoSuchBucket` or `ECONNREFUSED`. */
  readonly code: string

  constructor(error: unknown, bucket: string) {
    const status = statusOf(error)
    const code = codeOf(error)
    const message = error instanceof Error ? error.message : String(error)
    // The library's word for an answer that names its error and says no more.
    const saying = message === '' || message.startsWith('UnknownError') ? '' : `: ${message}`
    super()
    this.status = status
    this.code = code
    const why = `${code}${status === undefined ? '' : ` (HTTP ${status})`}${saying}`
    this.message = `S3 ${this.isRefusal ? 'refuses' : 'does not serve'} the bucket ${bucket}: ${why}`
  }

  /** Whether it is our settings that are wrong and not S3's health. */
  get isRefusal(): boolean {
    if (this.code === 'CredentialsProviderError') return true
    return this.status !== undefined && this.status >= 300 && this.status < 500 && !isPassing(this.status, this.code)
  }
}

/** Whether the same call may succeed a moment later. */
function isPassing(status: number | undefined, code: string): boolean {
  if (status === undefined) return true
  return status >= 500 || status === 408 || status === 429 || passingCodes.has(code)
}

/** Answered with status 400 to what was damaged or cut off on its way. */
const passingCodes = new Set(['RequestTimeout', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch'])

/** Whether an answer says that there is no such key; an answer to HEAD has no body to say more than its status. */
export const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error))

/** Whether an answer says that the range that was asked for begins after the last byte. */
export const isBeyondTheEnd = (error: unknown): boolean => codeOf(error) === 'InvalidRange'

type Call<T> = (signal: AbortSignal) => Promise<T>

/** Calls S3 for a bucket; see {@link withinDeadline}. */
export type Caller = <T>(ms: number, call: Call<T>) => Promise<T>

export const callerFor =
  (bucket: string): Caller =>
  (ms, call) =>
    withinDeadline(bucket, ms, call)

/**
 * Calls S3, at most twice, within a deadline.
 * @param bucket named in what is thrown
 * @param call is to end when the signal is raised
 * @throws Failure UNAVAILABLE, STORAGE_FULL
 */
async function withinDeadline<T>(bucket: string, ms: number, call: Call<T>): Promise<T> {
  const deadline = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`no answer within ${ms} ms`)
    late.reject(error)
    deadline.abort(error)
  }, ms)
  try {
    // Raced as well as signalled: looking for credentials, for one, does not listen to the signal.
    return await Promise.race([twice(call, deadline.signal), late.promise])
  } catch (error) {
    throw asFailure(error, bucket)
  } finally {
    clearTimeout(timer)
  }
}

async function twice<T>(call: Call<T>, signal: AbortSignal): Promise<T> {
  try {
    return await call(signal)
  } catch (error) {
    if (signal.aborted || error instanceof Failure || !isPassing(statusOf(error), codeOf(error))) throw error
    await sleep(pauseMs, undefined, { signal })
    return await call(signal)
  }
}

function asFailure(error: unknown, bucket: string): Failure {
  if (error instanceof Failure) return error
  const cause = new S3Error(error, bucket)
  const isFull = cause.status === 507 || cause.code === 'QuotaExceeded'
  return new Failure(isFull ? 'STORAGE_FULL' : 'UNAVAILABLE', { cause })
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const { $metadata } = error
  const isAnswer = typeof $metadata === 'object' && $metadata !== null && 'httpStatusCode' in $metadata
  return isAnswer && typeof $metadata.httpStatusCode === 'number' ? $metadata.httpStatusCode : undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function ignore(): void {}
