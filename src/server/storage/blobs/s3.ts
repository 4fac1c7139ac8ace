import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { PassThrough, pipeline, Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Failure } from '../../core/failure.ts'
import type { BlobReader, BlobStore, ByteRange, OpenBlob } from './blob-store.ts'
import type { S3Target } from './blob-target.ts'
import { throwStorageFailure } from './disk-failures.ts'
import { orphanedKeys } from './orphaned-keys.ts'
import { openPendingKeys } from './pending-keys.ts'
import { isInvalidRange, isMissing, S3Error, type S3Runner, s3Client, s3Runner, toFailure } from './s3-client.ts'
import { destroyWhenStalled, requestLimits, type S3Limits } from './s3-limits.ts'
import { type StagedFile, stageFile } from './staged-file.ts'
import { openStaging } from './staging.ts'

const readChunkBytes = 256 * 1024

export interface S3Options {
  /** By default, the limits for serving requests. */
  limits?: S3Limits
  /** How long after a failed upload the object that it may have created is removed. */
  removeOrphansAfterMs?: number
}

/**
 * Stores blobs as objects of an S3 bucket. Bytes are staged in a file below `dir`, and uploaded when they get their
 * key. An object appears only with all its bytes, which the request's signature over their SHA-256 guarantees.
 *
 * A server starts even if S3 is unavailable; requests that need S3 then fail with UNAVAILABLE. The bucket below the
 * prefix belongs to one summit alone: objects without a row may be removed.
 * @param dir may be shared by several processes, each of which stages in a folder of its own; `clearStaging` removes
 *   the folders of ended processes
 * @throws S3Error when S3 rejects access: no such bucket, wrong credentials, wrong region
 */
export async function openS3Blobs(
  target: S3Target,
  dir: string,
  { limits = requestLimits, removeOrphansAfterMs = 30_000 }: S3Options = {},
): Promise<BlobStore> {
  const { bucket: Bucket, prefix } = target
  const client = s3Client(target, limits.connect)
  const run = s3Runner(Bucket)
  await assertUsable(client, target, run, limits)
  const staging = await openStaging(dir)
  const pendingKeys = await openPendingKeys(dir)

  const remove = async (key: string) => {
    await run(limits.remove, (abortSignal) =>
      client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key }), { abortSignal }),
    )
    await pendingKeys.delete(key)
  }
  const orphans = orphanedKeys(remove, removeOrphansAfterMs)

  const upload = async (path: string, staged: StagedFile, key: string, deadline: number): Promise<void> => {
    const timeoutMs = Math.min(limits.upload(staged.size), deadline - performance.now())
    try {
      await run(timeoutMs, (signal, restartTimeout) =>
        put(client, { Bucket, Key: prefix + key }, path, staged, {
          signal,
          ...(limits.isUploadByProgress && { onProgress: restartTimeout }),
        }),
      )
    } catch (error) {
      orphans.add(key)
      throw error
    }
  }

  const store = async (path: string, staged: StagedFile, key: string, deadline: number): Promise<void> => {
    // A pending removal after an earlier attempt with the same key must not delete the new object.
    await orphans.release(key)
    try {
      await pendingKeys.add(key).catch(throwStorageFailure)
      await upload(path, staged, key, deadline)
    } finally {
      await rm(path, { force: true }).catch(leaveForNextStart)
    }
  }

  return {
    ...createReader(client, target, run, limits),

    async stage(source, maxBytes) {
      const path = await staging.newFile()
      const staged = await stageFile(path, source, maxBytes)
      return {
        ...staged,
        path,
        store: (key, deadline = Number.POSITIVE_INFINITY) => store(path, staged, key, deadline),
        discard: () => rm(path, { force: true }),
      }
    },

    async remove(key) {
      try {
        await remove(key)
      } catch (error) {
        orphans.add(key)
        throw error
      }
    },

    confirm: pendingKeys.delete,

    takePending: pendingKeys.takeOver,

    async close() {
      orphans.stop()
      client.destroy()
      await staging.close()
    },
  }
}

/**
 * Reads the blobs of a bucket.
 * @throws S3Error as `openS3Blobs` does
 */
export async function openS3Reader(target: S3Target, limits = requestLimits): Promise<BlobReader> {
  const client = s3Client(target, limits.connect)
  const run = s3Runner(target.bucket)
  await assertUsable(client, target, run, limits)
  return createReader(client, target, run, limits)
}

function createReader(
  client: S3Client,
  { bucket: Bucket, prefix }: S3Target,
  run: S3Runner,
  limits: S3Limits,
): BlobReader {
  const size = (key: string) =>
    run(limits.response, async (abortSignal) => {
      const response = client.send(new HeadObjectCommand({ Bucket, Key: prefix + key }), { abortSignal })
      return (await response.catch(ignoreMissing))?.ContentLength
    })
  return {
    size,

    async open(key, range) {
      const command = new GetObjectCommand({ Bucket, Key: prefix + key, ...(range && { Range: rangeHeader(range) }) })
      const opened = await run(limits.response, async (abortSignal) => {
        const response = await client.send(command, { abortSignal }).catch(ignoreInvalidRange).catch(ignoreMissing)
        return (
          response &&
          (response === invalidRange
            ? response
            : toOpenBlob(response, { bucket: Bucket, stallMs: limits.stall, range }))
        )
      })
      if (opened !== invalidRange) return opened
      const fullSize = await size(key)
      return fullSize === undefined ? undefined : { size: fullSize, bytes: Readable.from([]) }
    },

    async *list(folder = '') {
      let token: string | undefined
      do {
        const page = await run(limits.response, (abortSignal) =>
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: prefix + folder,
              ...(token !== undefined && { ContinuationToken: token }),
            }),
            { abortSignal },
          ),
        )
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const key = Key.slice(prefix.length)
          if (isKey(key) && LastModified) yield { key, size: Size, storedAt: LastModified.getTime() }
        }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },

    async close() {
      client.destroy()
    },
  }
}

/** Whether an object is one of ours: consoles create empty objects for folders, whose names end with a slash. */
const isKey = (text: string): boolean => /^[a-z0-9.-]+(\/[a-z0-9.-]+)*$/.test(text)

async function assertUsable(
  client: S3Client,
  { bucket, prefix }: S3Target,
  run: S3Runner,
  limits: S3Limits,
): Promise<void> {
  try {
    await run(limits.response, (abortSignal) =>
      // A start lists objects, too, and the response has an error code, unlike one to HEAD.
      client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), { abortSignal }),
    )
  } catch (error) {
    if (!(error instanceof Failure) || !(error.cause instanceof S3Error) || !error.cause.isRejection) return
    throw error.cause
  }
}

/** Uploads the file; a single attempt. */
async function put(
  client: S3Client,
  target: { Bucket: string; Key: string },
  path: string,
  { size, sha256 }: StagedFile,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: () => void },
): Promise<void> {
  const body = createReadStream(path, { highWaterMark: readChunkBytes })
  // Paused until the library reads it: a listener would start it before.
  if (onProgress) body.pause().on('data', onProgress)
  const cancellation = new AbortController()
  // The library does not handle errors of the stream.
  body.on('error', (error) => cancellation.abort(error))
  const command = new PutObjectCommand({ ...target, Body: body, ContentLength: size })
  // The library does not sign the content of a stream. We know its hash, which S3 then verifies (SigV4,
  // "x-amz-content-sha256").
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'contentSha256' },
  )
  try {
    await client.send(command, { abortSignal: AbortSignal.any([signal, cancellation.signal]) })
  } finally {
    // If the response came before everything was sent, the rest is not sent, and the connection cannot be reused.
    if (!body.readableEnded) cancellation.abort()
    body.destroy()
  }
}

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`

function toOpenBlob(
  { Body, ContentLength, ContentRange }: GetObjectCommandOutput,
  { bucket, stallMs, range }: { bucket: string; stallMs: number; range: ByteRange | undefined },
): OpenBlob {
  if (!(Body instanceof Readable)) throw new TypeError('S3 returned a response without a body')
  if (Body instanceof IncomingMessage) destroyWhenStalled(Body, stallMs)
  // RFC 9110, 14.4: "bytes 2-4/10".
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange ?? '') ?? []
  const size = range ? total : ContentLength
  if (size === undefined || (range && Number(start) !== range.start)) {
    Body.destroy()
    throw new TypeError('S3 returned no size, or another range than requested')
  }
  const bytes = new PassThrough({
    destroy: (error, done) => done(error && toFailure(error, bucket)),
  })
  return { size: Number(size), bytes: pipeline(Body, bytes, () => {}) }
}

function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}

/** S3 rejects a range that begins after the last byte, where a file has no bytes. */
const invalidRange = Symbol('invalid range')

function ignoreInvalidRange(error: unknown): typeof invalidRange {
  if (isInvalidRange(error)) return invalidRange
  throw error
}

function leaveForNextStart(): void {}
