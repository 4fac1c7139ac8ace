import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Failure } from '../core/failure.ts'
import { type BlobReader, type BlobStore, type ByteRange, type OpenBlob, patience } from './blob-store.ts'
import type { S3Target } from './blobs-url.ts'
import { orphanedKeys } from './orphaned-keys.ts'
import { openPendingKeys } from './pending-keys.ts'
import { type Caller, callerFor, isBeyondTheEnd, isMissing, S3Error, s3Client } from './s3-calls.ts'
import { type StagedFile, stageFile, throwStorageFailure } from './staged-file.ts'
import { openStaging } from './staging.ts'
import { cutWhenStalled } from './stalled.ts'

const readAtOnce = 256 * 1024

/** Bounds on how long S3 may take; an upload is to be answered within 10 s when S3 is away. */
const readMs = 5_000
const removeMs = 1_500
const stalledMs = 5_000

export interface S3Options {
  /** How long after a failed upload what may have been stored of it is removed. */
  leftoversAfterMs?: number
}

/**
 * Blobs as objects of an S3 bucket. Bytes are received into a file below `dir`, and uploaded when they get their key:
 * S3 shows an object when it has all its bytes, which the request's signature over their SHA-256 makes sure of.
 *
 * An S3 that is away does not keep a server from starting; what needs it fails with UNAVAILABLE until it is back.
 * The bucket below the prefix belongs to one summit alone: what no row of it names may be removed.
 * @param dir where several processes may receive, each into a folder of its own; `clearStaging` removes those of the dead
 * @throws S3Error when S3 answers and refuses: no such bucket, wrong credentials, wrong region
 */
export async function openS3Blobs(
  target: S3Target,
  dir: string,
  { leftoversAfterMs = 30_000 }: S3Options = {},
): Promise<BlobStore> {
  const { bucket: Bucket, prefix } = target
  const client = s3Client(target)
  const withinDeadline = callerFor(Bucket)
  await refuseUnusable(client, target, withinDeadline)
  const staging = await openStaging(dir)
  const notes = await openPendingKeys(dir)

  const remove = async (key: string) => {
    await withinDeadline(removeMs, (abortSignal) =>
      client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key }), { abortSignal }),
    )
    await notes.forget(key)
  }
  const unfinished = orphanedKeys(remove, leftoversAfterMs)

  const upload = async (path: string, staged: StagedFile, key: string, by: number): Promise<void> => {
    const ms = Math.min(patience(staged.size), by - performance.now())
    try {
      await withinDeadline(ms, (signal) => put(client, { Bucket, Key: prefix + key }, path, staged, signal))
    } catch (error) {
      unfinished.add(key)
      throw error
    }
  }

  const store = async (path: string, staged: StagedFile, key: string, by: number): Promise<void> => {
    // A removal from an earlier attempt at the same key must not hit what is stored now.
    await unfinished.release(key)
    try {
      await notes.add(key).catch(throwStorageFailure)
      await upload(path, staged, key, by)
    } finally {
      await rm(path, { force: true }).catch(leaveToNextStart)
    }
  }

  return {
    ...readerOf(client, target, withinDeadline),

    async stage(source, maxBytes) {
      const path = await staging.newFile()
      const staged = await stageFile(path, source, maxBytes)
      return {
        ...staged,
        store: (key, by = Number.POSITIVE_INFINITY) => store(path, staged, key, by),
        discard: () => rm(path, { force: true }),
      }
    },

    async remove(key) {
      try {
        await remove(key)
      } catch (error) {
        unfinished.add(key)
        throw error
      }
    },

    confirm: notes.forget,

    takePending: notes.inherit,

    async *list() {
      let token: string | undefined
      do {
        const page = await withinDeadline(readMs, (abortSignal) =>
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: prefix,
              ...(token !== undefined && { ContinuationToken: token }),
            }),
            { abortSignal },
          ),
        )
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const key = Key.slice(prefix.length)
          if (isKey(key) && LastModified) yield { key, storedAt: LastModified.getTime() }
        }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },

    async close() {
      unfinished.stop()
      client.destroy()
      await staging.close()
    },
  }
}

/**
 * Reads the blobs of a bucket.
 * @throws S3Error as `openS3Blobs` does
 */
export async function openS3Reader(target: S3Target): Promise<BlobReader> {
  const client = s3Client(target)
  const withinDeadline = callerFor(target.bucket)
  await refuseUnusable(client, target, withinDeadline)
  return readerOf(client, target, withinDeadline)
}

function readerOf(client: S3Client, { bucket: Bucket, prefix }: S3Target, withinDeadline: Caller): BlobReader {
  const size = (key: string) =>
    withinDeadline(readMs, async (abortSignal) => {
      const asked = client.send(new HeadObjectCommand({ Bucket, Key: prefix + key }), { abortSignal })
      return (await asked.catch(ignoreMissing))?.ContentLength
    })
  return {
    size,

    async open(key, range) {
      const command = new GetObjectCommand({ Bucket, Key: prefix + key, ...(range && { Range: rangeHeader(range) }) })
      const opened = await withinDeadline(readMs, async (abortSignal) => {
        const answer = await client.send(command, { abortSignal }).catch(nothingBeyondTheEnd).catch(ignoreMissing)
        return answer && (answer === beyondTheEnd ? answer : openBlobOf(answer, range))
      })
      if (opened !== beyondTheEnd) return opened
      const whole = await size(key)
      return whole === undefined ? undefined : { size: whole, bytes: Readable.from([]) }
    },

    async close() {
      client.destroy()
    },
  }
}

/** Whether it is of ours: consoles make empty objects for folders, with a slash at the end. */
const isKey = (text: string): boolean => /^[a-z0-9.-]+(\/[a-z0-9.-]+)*$/.test(text)

async function refuseUnusable(client: S3Client, { bucket, prefix }: S3Target, withinDeadline: Caller): Promise<void> {
  try {
    await withinDeadline(readMs, (abortSignal) =>
      // Listing is what a start needs, and says why not, which a HEAD cannot.
      client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), { abortSignal }),
    )
  } catch (error) {
    if (!(error instanceof Failure) || !(error.cause instanceof S3Error) || !error.cause.isRefusal) return
    throw error.cause
  }
}

/** Sends the file once. */
async function put(
  client: S3Client,
  target: { Bucket: string; Key: string },
  path: string,
  { size, sha256 }: StagedFile,
  deadline: AbortSignal,
): Promise<void> {
  const body = createReadStream(path, { highWaterMark: readAtOnce })
  const unsendable = new AbortController()
  // The library pipes the stream without listening to its errors.
  body.on('error', (error) => unsendable.abort(error))
  const command = new PutObjectCommand({ ...target, Body: body, ContentLength: size })
  // Of a stream the library signs no content; we know its hash, and S3 then compares (SigV4, "x-amz-content-sha256").
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'contentSha256' },
  )
  try {
    await client.send(command, { abortSignal: AbortSignal.any([deadline, unsendable.signal]) })
  } finally {
    // Answered before all was sent: the rest is not sent, and the connection is of no further use.
    if (!body.readableEnded) unsendable.abort()
    body.destroy()
  }
}

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`

function openBlobOf({ Body, ContentLength, ContentRange }: GetObjectCommandOutput, range?: ByteRange): OpenBlob {
  if (!(Body instanceof Readable)) throw new TypeError('S3 answered without bytes')
  if (Body instanceof IncomingMessage) cutWhenStalled(Body, stalledMs)
  // RFC 9110, 14.4: "bytes 2-4/10".
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange ?? '') ?? []
  const size = range ? total : ContentLength
  if (size === undefined || (range && Number(start) !== range.start)) {
    Body.destroy()
    throw new TypeError('S3 did not say how long the object is, or answered with other bytes than it was asked for')
  }
  return { size: Number(size), bytes: Body }
}

function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}

/** S3 refuses a range that begins after the last byte; a file has no bytes there. */
const beyondTheEnd = Symbol('beyond the end')

function nothingBeyondTheEnd(error: unknown): typeof beyondTheEnd {
  if (isBeyondTheEnd(error)) return beyondTheEnd
  throw error
}

function leaveToNextStart(): void {}
