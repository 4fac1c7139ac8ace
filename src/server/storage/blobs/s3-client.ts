import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client } from '@aws-sdk/client-s3'
import { messageOf, OperatorError } from '../../core/errors.ts'
import { Failure } from '../../core/failure.ts'
import type { S3Target } from './blob-target.ts'

const retryDelayMs = 200

/** A connection that was idle for this long may be dead without our knowing: routers drop idle connections. */
const idleMs = 5_000

/** @param connectMs see `S3Limits` */
export function s3Client({ region, endpoint, forcePathStyle, credentials }: S3Target, connectMs: number): S3Client {
  // Every slow reader of a file holds a connection; with a limit, uploads would wait for them.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: idleMs }
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    requestHandler: { connectionTimeout: connectMs, httpAgent: agent, httpsAgent: agent },
    // Not every S3 supports the newer checksums; ours is in the signature (`s3.ts`).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The library cannot send a stream twice. Retries are done here.
    maxAttempts: 1,
    // The library would wait six seconds for a `100 Continue` before it sends anything, on a connection of its own.
    expectContinueHeader: false,
    // By default the library writes to the console; errors are thrown, and logged where they are caught.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  })
}

/**
 * The error that S3 returned, or the lack of a response; the cause of a Failure. It does not refer to the library's own
 * error, which contains the request with its signature.
 */
export class S3Error extends OperatorError {
  override readonly name = 'S3Error'
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined
  /** S3's or Node's error code, such as `NoSuchBucket` or `ECONNREFUSED`. */
  readonly code: string

  constructor(error: unknown, bucket: string) {
    const status = statusOf(error)
    const code = codeOf(error)
    const message = messageOf(error)
    // The library's placeholder for a response without a message.
    const detail = message === '' || message.startsWith('UnknownError') ? '' : `: ${message}`
    super()
    this.status = status
    this.code = code
    const reason = `${code}${status === undefined ? '' : ` (HTTP ${status})`}${detail}`
    const problem = this.isRejection
      ? `S3 rejected access to the bucket ${bucket}`
      : `The S3 bucket ${bucket} is unavailable`
    this.message = `${problem}: ${reason}`
  }

  /** Whether our settings are wrong, and not S3 unavailable. */
  get isRejection(): boolean {
    if (this.code === 'CredentialsProviderError') return true
    return this.status !== undefined && this.status >= 300 && this.status < 500 && !isTransient(this.status, this.code)
  }
}

/** Whether the same call may succeed a moment later. */
function isTransient(status: number | undefined, code: string): boolean {
  if (status === undefined) return true
  return status >= 500 || status === 408 || status === 429 || transientCodes.has(code)
}

/** Codes of responses with status 400 to a request that was damaged or truncated in transit. */
const transientCodes = new Set(['RequestTimeout', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch'])

/** Whether the key does not exist; a response to HEAD has only a status and no code. */
export const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error))

/** Whether the requested range begins after the last byte. */
export const isInvalidRange = (error: unknown): boolean => codeOf(error) === 'InvalidRange'

type S3Operation<T> = (signal: AbortSignal, restartTimeout: () => void) => Promise<T>

/** Runs an operation on a bucket with a timeout; see {@link runWithTimeout}. */
export type S3Runner = <T>(timeoutMs: number, operation: S3Operation<T>) => Promise<T>

export const s3Runner =
  (bucket: string): S3Runner =>
  (timeoutMs, operation) =>
    runWithTimeout(bucket, timeoutMs, operation)

/**
 * Runs an operation, at most twice, with a timeout for both attempts.
 * @param bucket for error messages
 * @param operation must end when the signal is aborted, and may start the time again
 * @throws Failure UNAVAILABLE, STORAGE_FULL
 */
async function runWithTimeout<T>(bucket: string, timeoutMs: number, operation: S3Operation<T>): Promise<T> {
  const controller = new AbortController()
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`No response within ${timeoutMs} ms`)
    timeout.reject(error)
    controller.abort(error)
  }, timeoutMs)
  try {
    // A race in addition to the signal: looking up credentials, for example, ignores the signal.
    return await Promise.race([
      runTwice(() => operation(controller.signal, () => timer.refresh()), controller.signal),
      timeout.promise,
    ])
  } catch (error) {
    throw toFailure(error, bucket)
  } finally {
    clearTimeout(timer)
  }
}

async function runTwice<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    if (signal.aborted || error instanceof Failure || !isTransient(statusOf(error), codeOf(error))) throw error
    await sleep(retryDelayMs, undefined, { signal })
    return await operation()
  }
}

/** The failure of a call to a bucket, or of a stream that it returned. */
export function toFailure(error: unknown, bucket: string): Failure {
  if (error instanceof Failure) return error
  const cause = new S3Error(error, bucket)
  const isFull = cause.status === 507 || cause.code === 'QuotaExceeded'
  return new Failure(isFull ? 'STORAGE_FULL' : 'UNAVAILABLE', { cause })
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const { $metadata } = error
  const hasStatus = typeof $metadata === 'object' && $metadata !== null && 'httpStatusCode' in $metadata
  return hasStatus && typeof $metadata.httpStatusCode === 'number' ? $metadata.httpStatusCode : undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function ignore(): void {}
