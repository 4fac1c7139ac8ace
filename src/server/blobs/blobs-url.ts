/** Where blobs live: in files of `DATA_DIR`, or in an S3. */
export type BlobTarget = { readonly kind: 'fs' } | S3Target

/** Whether they are in `DATA_DIR`. */
export const isLocal = ({ kind }: BlobTarget): boolean => kind === 'fs'

/** The place for a sentence, without its credentials. @param dir where those of `DATA_DIR` are */
export const nameOf = (target: BlobTarget, dir: string): string =>
  target.kind === 'fs' ? `${dir} (DATA_DIR)` : `the bucket ${target.bucket} (BLOBS_URL)`

/** Where blobs live in an S3. */
export interface S3Target {
  readonly kind: 's3'
  readonly bucket: string
  /** Before every key: empty, or ending with a slash. */
  readonly prefix: string
  readonly region: string
  /** Base URL of an S3 that is not Amazon's. */
  readonly endpoint?: string
  /** Whether the bucket is named in the path (`http://host/bucket`) and not in the host (`http://bucket.host`). */
  readonly forcePathStyle: boolean
  /** When not given, they are looked for where every AWS program does: `AWS_ACCESS_KEY_ID`, `~/.aws`, the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** What is wrong with the text, without any of it: it may hold a secret. */
export class InvalidBlobsUrl extends Error {
  override readonly name = 'InvalidBlobsUrl'
}

/**
 * Reads `BLOBS_URL`.
 * @throws InvalidBlobsUrl
 */
export const blobTarget = (url: string | undefined): BlobTarget =>
  url === undefined ? { kind: 'fs' } : parseBlobsUrl(url)

const parameters = ['endpoint', 'region', 'path-style']

/**
 * Reads `s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=true|false]`.
 * The region is `us-east-1` when not given, as elsewhere than at Amazon nobody asks; the style is by path when an
 * endpoint is given, as few of those have a host name for each bucket.
 * @throws InvalidBlobsUrl
 */
export function parseBlobsUrl(text: string): S3Target {
  const url = URL.canParse(text) ? new URL(text) : refuse('is not a URL; a secret in it must be percent-encoded')
  if (url.protocol !== 's3:') refuse('must begin with s3://')
  if (url.port !== '' || url.hash !== '') refuse('has a port or fragment; the server is named by endpoint=')
  const given = new Map(url.searchParams)
  for (const name of given.keys())
    if (!parameters.includes(name)) refuse(`knows only the parameters ${parameters.join(', ')}`)

  const bucket = url.hostname
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) refuse('names no bucket, as in s3://bucket/prefix')
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[A-Za-z0-9_./-]*$/.test(prefix)) refuse('has a prefix with other characters than A-Z a-z 0-9 - _ . /')
  const region = given.get('region') || 'us-east-1'
  if (!/^[a-z0-9-]+$/.test(region)) refuse('has a region that is none')

  const endpoint = given.get('endpoint')
  if (endpoint !== undefined && !isBaseUrl(endpoint)) refuse('has an endpoint that is not an http or https URL')
  const pathStyle = given.get('path-style') ?? String(endpoint !== undefined)
  if (pathStyle !== 'true' && pathStyle !== 'false') refuse('has a path-style that is neither true nor false')
  const credentials = credentialsOf(url)
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    forcePathStyle: pathStyle === 'true',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
  }
}

function refuse(reason: string): never {
  throw new InvalidBlobsUrl(reason)
}

const isBaseUrl = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^?#@]+$/.test(text)

function credentialsOf({ username, password }: URL): S3Target['credentials'] {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '') refuse('has half of the credentials, as in s3://key-id:secret@bucket')
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
  } catch {
    return refuse('has credentials that are not percent-encoded')
  }
}
