/** The location of blobs: `DATA_DIR`, or S3. */
export type BlobTarget = { readonly kind: 'fs' } | S3Target

/** Whether blobs are stored in `DATA_DIR`. */
export const isLocal = ({ kind }: BlobTarget): boolean => kind === 'fs'

/** The target for a message, without its credentials. @param dir the folder of the blobs in `DATA_DIR` */
export const describeBlobTarget = (target: BlobTarget, dir: string): string =>
  target.kind === 'fs' ? `${dir} (DATA_DIR)` : `the bucket ${target.bucket} (BLOBS_URL)`

/** A bucket of S3 or of a compatible service. */
export interface S3Target {
  readonly kind: 's3'
  readonly bucket: string
  /** Precedes every key: empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
  /** Base URL of a service other than Amazon's. */
  readonly endpoint?: string
  /** Whether the bucket is named in the path (`http://host/bucket`) and not in the host (`http://bucket.host`). */
  readonly forcePathStyle: boolean
  /** By default they come from where all AWS programs find them: `AWS_ACCESS_KEY_ID`, `~/.aws`, the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The message says what is wrong with the URL without quoting it: it may contain a secret. */
export class InvalidS3Url extends Error {
  override readonly name = 'InvalidS3Url'
}

/**
 * Reads `BLOBS_URL`.
 * @throws InvalidS3Url
 */
export const parseBlobTarget = (url: string | undefined): BlobTarget =>
  url === undefined ? { kind: 'fs' } : parseS3Url(url)

const parameters = ['endpoint', 'region', 'path-style']

/**
 * Reads `s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=true|false]`. The region defaults to
 * `us-east-1`: services other than Amazon's ignore it. Path style is the default if an endpoint is given: few of those
 * have a host name for each bucket.
 * @throws InvalidS3Url
 */
export function parseS3Url(text: string): S3Target {
  const url = URL.canParse(text) ? new URL(text) : reject('is not a URL; a secret in it must be percent-encoded')
  if (url.protocol !== 's3:') reject('must begin with s3://')
  if (url.port !== '' || url.hash !== '') reject('must not have a port or fragment; name the server by endpoint=')
  const query = new Map(url.searchParams)
  for (const name of query.keys())
    if (!parameters.includes(name)) reject(`must not have other parameters than ${parameters.join(', ')}`)

  const bucket = url.hostname
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) reject('must name a bucket, as in s3://bucket/prefix')
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[A-Za-z0-9_./-]*$/.test(prefix)) reject('has a prefix with other characters than A-Z a-z 0-9 - _ . /')
  const region = query.get('region') || 'us-east-1'
  if (!/^[a-z0-9-]+$/.test(region)) reject('has an invalid region')

  const endpoint = query.get('endpoint')
  if (endpoint !== undefined && !isBaseUrl(endpoint)) reject('has an endpoint that is not an http or https URL')
  const pathStyle = query.get('path-style') ?? String(endpoint !== undefined)
  if (pathStyle !== 'true' && pathStyle !== 'false') reject('has a path-style that is neither true nor false')
  const credentials = parseCredentials(url)
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

function reject(reason: string): never {
  throw new InvalidS3Url(reason)
}

const isBaseUrl = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^?#@]+$/.test(text)

function parseCredentials({ username, password }: URL): S3Target['credentials'] {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '')
    reject('must have both key id and secret, as in s3://key-id:secret@bucket, or neither')
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
  } catch {
    return reject('has credentials that are not percent-encoded')
  }
}
