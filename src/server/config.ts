import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import Format from 'typebox/format'
import { defaultLimits, type Limits } from '../contract/limits.ts'
import { type BlobTarget, blobTarget } from './blobs/blobs-url.ts'
import { compileSchema } from './core/compile-schema.ts'
import { OperatorError } from './core/operator-error.ts'
import { type DatabaseTarget, databaseUrl } from './db/target.ts'

Format.Set('host', isHost)
Format.Set('http-url', isBaseUrl)
Format.Set('time-zone', isTimeZone)
Format.Set('database-url', databaseUrl.isValid)
Format.Set('blobs-url', isBlobsUrl)

const oneOf = <const V extends string>(values: V[], options: { default: NoInfer<V>; description: string }) =>
  Type.Unsafe<V>(Type.Enum(values, options))

const limitSetting = (limit: keyof Limits, description: string) =>
  Type.Integer({ minimum: 1, maximum: 2 ** 40, default: defaultLimits[limit], description })

/** Every setting, by the name of its environment variable. `docs/config.md` is generated from this. */
export const Settings = Type.Object({
  HOST: Type.String({
    default: '127.0.0.1',
    format: 'host',
    description: 'Address to listen on. Anything but loopback also requires ACCESS.',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  WORKERS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 128,
    description: 'Number of processes that serve requests. More than the number of cores does not help.',
  }),
  DATA_DIR: Type.String({ default: './data', description: 'Folder for the database, the files and the signing key.' }),
  DATABASE_URL: Type.Optional(
    Type.String({ format: 'database-url', 'x-secret': true, description: databaseUrl.description }),
  ),
  BLOBS_URL: Type.Optional(
    Type.String({
      format: 'blobs-url',
      'x-secret': true,
      description:
        'S3 location for files: s3://bucket/prefix?region=…&endpoint=…&path-style=true. Credentials come from the usual ' +
        'AWS sources, or precede the bucket: key-id:secret@. If not set, files are stored in DATA_DIR.',
    }),
  ),
  BEGIN_WITH: oneOf(['sample', 'empty'], {
    default: 'sample',
    description: 'Initial content of a new summit: sample loads a sample summit; empty loads nothing, like --empty.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      format: 'http-url',
      description:
        'Base URL that clients use. Absolute URLs in responses start with it; if not set, with the Host of the request.',
    }),
  ),
  TIMEZONE: Type.String({
    default: 'UTC',
    format: 'time-zone',
    description: 'IANA time zone of the timestamps that the server generates. Program times are never converted.',
  }),
  DAY_OF_WEEK: oneOf(['iso', 'mysql', 'js'], {
    default: 'iso',
    description:
      'Numbering of dayOfWeek: iso 1 Monday … 7 Sunday, mysql 1 Sunday … 7 Saturday, js 0 Sunday … 6 Saturday.',
  }),
  ACCESS: oneOf(['open'], {
    default: 'open',
    description: 'Who may read and write. open: anyone who can reach the port, as any participant.',
  }),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug'], {
    default: 'info',
    description: 'Log level: silent, error, warn, info or debug. The log goes to standard output as JSON lines.',
  }),
  PAGE_CACHE_BYTES: Type.Integer({
    minimum: 0,
    maximum: 2 ** 40,
    default: 192 * 1024 * 1024,
    description:
      'Memory for cached responses; images get the same amount again, up to 32 MiB. 0 disables both caches, so that every read queries the database.',
  }),
  SIGNATURE_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      'x-secret': true,
      description:
        'Key for system.signature, 64 hex digits. If not set, one is generated at first start and stored in DATA_DIR, ' +
        'or in the database of DATABASE_URL.',
    }),
  ),
  MAX_NAME: limitSetting('name', "Maximum characters in a topic's name."),
  MAX_BODY: limitSetting('body', "Maximum characters in a topic's body."),
  MAX_COMMENT: limitSetting('comment', 'Maximum characters in a comment.'),
  MAX_FEEDBACK: limitSetting('feedback', "Maximum characters in a feedback's comments."),
  MAX_TEXT: limitSetting('text', 'Maximum characters in any other string, except texts of imported sessions.'),
  MAX_LINK: limitSetting('link', 'Maximum characters in a link in uploaded_files.'),
  MAX_JSON_BYTES: limitSetting('jsonBytes', 'Maximum bytes of a JSON or urlencoded body.'),
  MAX_FILE_BYTES: limitSetting('fileBytes', 'Maximum bytes of an uploaded file.'),
  MAX_FILES: limitSetting('files', 'Maximum number of uploaded files in a request.'),
})
type Settings = Static<typeof Settings>
export type SettingName = keyof Settings

/** The configuration as the program uses it. */
export interface Config {
  host: string
  port: number
  workers: number
  dataDir: string
  database: DatabaseTarget
  blobs: BlobTarget
  beginWith: Settings['BEGIN_WITH']
  /** Without a trailing slash. */
  publicUrl: string | undefined
  timeZone: string
  dayOfWeek: Settings['DAY_OF_WEEK']
  access: Settings['ACCESS']
  logLevel: Settings['LOG_LEVEL']
  pageCacheBytes: number
  signatureKey: Buffer | undefined
  limits: Limits
}

/** A setting with its value and its source. */
export interface EffectiveSetting {
  name: SettingName
  value: string | number | undefined
  source: 'default' | 'environment'
  /** Whether the value must not be shown: a secret setting, or any value that may contain a URL with a password. */
  isSecret: boolean
}

/** Invalid settings; the message is one line for the operator. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

const validator = compileSchema(Settings)

/**
 * Reads the configuration; nothing else reads environment variables. An empty variable counts as unset.
 * @throws ConfigError with one line that names every invalid variable
 */
export function readConfig(environment: Environment): { config: Config; effective: EffectiveSetting[] } {
  const { effective, settings, invalid } = evaluate(environment)
  if (!settings || invalid.size > 0) throw new ConfigError([...invalid.values()].join(' '))
  return { config: toConfig(settings), effective }
}

/** Every setting as given, and a message for each invalid one. */
export function inspectConfig(environment: Environment): { effective: EffectiveSetting[]; invalid: InvalidSettings } {
  const { effective, invalid } = evaluate(environment)
  return { effective, invalid }
}

/** Messages by name of the setting. */
type InvalidSettings = ReadonlyMap<string, string>

/** @returns `settings` is undefined if a value fails validation */
function evaluate(environment: Environment): {
  effective: EffectiveSetting[]
  settings: Settings | undefined
  invalid: InvalidSettings
} {
  const effective = Object.entries(Settings.properties).map(([name, schema]): EffectiveSetting => {
    const given = environment[name]?.trim() || undefined
    const {
      default: fallback,
      type,
      'x-secret': isSecretSetting = false,
    } = { default: undefined, type: '', ...schema } as Meta
    const value = given === undefined ? fallback : type === 'integer' && /^\d+$/.test(given) ? Number(given) : given
    const source = given === undefined ? 'default' : 'environment'
    return { name: name as SettingName, value, source, isSecret: isSecretSetting || String(value).includes('@') }
  })
  const settings: unknown = Object.fromEntries(
    effective.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  if (!validator.Check(settings))
    return { effective, settings: undefined, invalid: describeErrors(validator.Errors(settings), effective) }
  return { effective, settings, invalid: checkExposure(settings, effective) }
}

interface Meta {
  default: string | number | undefined
  type: string
  'x-secret'?: boolean
}

const toConfig = (settings: Settings): Config => ({
  host: settings.HOST,
  port: settings.PORT,
  workers: settings.WORKERS,
  dataDir: settings.DATA_DIR,
  database:
    settings.DATABASE_URL === undefined
      ? { kind: 'folder', dir: settings.DATA_DIR }
      : { kind: 'server', url: settings.DATABASE_URL },
  blobs: blobTarget(settings.BLOBS_URL),
  beginWith: settings.BEGIN_WITH,
  publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
  timeZone: settings.TIMEZONE,
  dayOfWeek: settings.DAY_OF_WEEK,
  access: settings.ACCESS,
  logLevel: settings.LOG_LEVEL,
  pageCacheBytes: settings.PAGE_CACHE_BYTES,
  signatureKey: settings.SIGNATURE_KEY === undefined ? undefined : Buffer.from(settings.SIGNATURE_KEY, 'hex'),
  limits: {
    name: settings.MAX_NAME,
    body: settings.MAX_BODY,
    comment: settings.MAX_COMMENT,
    feedback: settings.MAX_FEEDBACK,
    text: settings.MAX_TEXT,
    link: settings.MAX_LINK,
    jsonBytes: settings.MAX_JSON_BYTES,
    fileBytes: settings.MAX_FILE_BYTES,
    files: settings.MAX_FILES,
  },
})

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host)

/** With open access anyone who can reach the port may write, so listening on the network must be explicit. */
function checkExposure({ HOST }: Settings, effective: EffectiveSetting[]): InvalidSettings {
  const isAccessSet = effective.some(({ name, source }) => name === 'ACCESS' && source === 'environment')
  if (isLoopback(HOST) || isAccessSet) return new Map()
  const message =
    `HOST=${HOST} would let anyone who can reach this machine read and write as any participant. ` +
    'To allow that, also set ACCESS=open; otherwise leave HOST at 127.0.0.1.'
  return new Map([['HOST', message]])
}

function describeErrors(
  errors: ReturnType<typeof validator.Errors>,
  effective: readonly EffectiveSetting[],
): InvalidSettings {
  const invalidNames = new Set(errors.map((error) => error.instancePath.split('/')[1]))
  const messages = effective
    .filter(({ name }) => invalidNames.has(name))
    .map(({ name, value, isSecret }): [string, string] => {
      const found = isSecret ? '' : ` It is ${JSON.stringify(String(value))}.`
      return [name, `${name} ${expectations[name] ?? ''}${found}`]
    })
  return new Map(messages)
}

const limitExpectations = Object.fromEntries(
  Object.keys(Settings.properties)
    .filter((name) => name.startsWith('MAX_'))
    .map((name) => [name, 'must be a whole number of at least 1.']),
)

/** Valid values, to complete a message that begins with the name of the setting. */
const expectations: Record<string, string> = {
  ...limitExpectations,
  HOST: 'must be an IP address or a host name, without a port.',
  PORT: 'must be a whole number from 0 to 65535.',
  WORKERS: 'must be a whole number from 1 to 128.',
  DATABASE_URL: databaseUrl.expectation,
  BLOBS_URL: 'must be s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=…], percent-encoded.',
  BEGIN_WITH: 'must be sample or empty.',
  PUBLIC_URL: 'must be an http or https URL without user, query, fragment or spaces.',
  TIMEZONE: 'must be an IANA time zone such as Europe/Berlin.',
  DAY_OF_WEEK: 'must be iso, mysql or js.',
  ACCESS: 'must be open; this version has no other mode.',
  LOG_LEVEL: 'must be silent, error, warn, info or debug.',
  PAGE_CACHE_BYTES: 'must be a whole number of bytes, or 0.',
  SIGNATURE_KEY: 'must be 64 hex digits.',
}

/** An IP address or a host name. A name must not end in a number (https://url.spec.whatwg.org/#ends-in-a-number-checker). */
function isHost(text: string): boolean {
  return isIP(text) !== 0 || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && !/(^|\.)\d+\.?$/.test(text))
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  // Credentials would be exposed to every client, in every link.
  return url !== null && `${url.username}${url.password}` === '' && /^https?:\/\/[^?#\s]*$/.test(text)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function isBlobsUrl(text: string): boolean {
  try {
    blobTarget(text)
    return true
  } catch {
    return false
  }
}
