import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import Format from 'typebox/format'
import { defaultLimits, type Limits } from '../contract/limits.ts'
import './http/request/all-errors.ts'
import { type BlobTarget, blobTarget } from './blobs/blobs-url.ts'
import { OperatorError } from './core/operator-error.ts'
import { type DatabaseTarget, databaseUrl } from './db/target.ts'

Format.Set('host', isHost)
Format.Set('http-url', isBaseUrl)
Format.Set('time-zone', isTimeZone)
Format.Set('database-url', databaseUrl.isValid)
Format.Set('blobs-url', isBlobsUrl)

const oneOf = <const V extends string>(values: V[], options: { default: NoInfer<V>; description: string }) =>
  Type.Unsafe<V>(Type.Enum(values, options))

const atMost = (limit: keyof Limits, description: string) =>
  Type.Integer({ minimum: 1, maximum: 2 ** 40, default: defaultLimits[limit], description })

/** Every setting, by the name of its environment variable. `docs/config.md` is made from this. */
export const Settings = Type.Object({
  HOST: Type.String({
    default: '127.0.0.1',
    format: 'host',
    description: 'Address to listen on. Beyond loopback it needs ACCESS to be set as well.',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes a free one.',
  }),
  WORKERS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 128,
    description: 'Processes that answer requests. More than the machine has cores are of no use.',
  }),
  DATA_DIR: Type.String({ default: './data', description: 'Folder of the database, the files and the signing key.' }),
  DATABASE_URL: Type.Optional(
    Type.String({ format: 'database-url', 'x-secret': true, description: databaseUrl.description }),
  ),
  BLOBS_URL: Type.Optional(
    Type.String({
      format: 'blobs-url',
      'x-secret': true,
      description:
        'S3 to keep files in: s3://bucket/prefix?region=…&endpoint=…&path-style=true. Credentials as every AWS program ' +
        'finds them, or before the bucket: key-id:secret@. In DATA_DIR if not given.',
    }),
  ),
  BEGIN_WITH: oneOf(['sample', 'empty'], {
    default: 'sample',
    description:
      'What a new summit begins with: sample is one to look at; empty is nothing, as with the option --empty.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      format: 'http-url',
      description:
        'Base URL that clients use. Absolute addresses in answers start with it, else with the Host they sent.',
    }),
  ),
  TIMEZONE: Type.String({
    default: 'UTC',
    format: 'time-zone',
    description: 'IANA time zone of the timestamps that the server makes. Program times are never shifted.',
  }),
  DAY_OF_WEEK: oneOf(['iso', 'mysql', 'js'], {
    default: 'iso',
    description:
      'How dayOfWeek counts: iso 1 Monday … 7 Sunday, mysql 1 Sunday … 7 Saturday, js 0 Sunday … 6 Saturday.',
  }),
  ACCESS: oneOf(['open'], {
    default: 'open',
    description: 'Who may read and write. open: whoever reaches the port, as any participant.',
  }),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug'], {
    default: 'info',
    description: 'How much is logged, as JSON lines on standard output: silent, error, warn, info or debug.',
  }),
  PAGE_CACHE_BYTES: Type.Integer({
    minimum: 0,
    maximum: 2 ** 40,
    default: 192 * 1024 * 1024,
    description:
      'Memory for pages that are kept ready to send; as much, up to 32 MiB, for pictures. 0 keeps none, so that every read asks the database.',
  }),
  SIGNATURE_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      'x-secret': true,
      description:
        'Key of system.signature, 64 hex digits. If not given, one is made at first start and kept in DATA_DIR, or ' +
        'in the database of DATABASE_URL.',
    }),
  ),
  MAX_NAME: atMost('name', "Characters of a topic's name."),
  MAX_BODY: atMost('body', "Characters of a topic's body."),
  MAX_COMMENT: atMost('comment', 'Characters of a comment.'),
  MAX_FEEDBACK: atMost('feedback', "Characters of a feedback's comments."),
  MAX_TEXT: atMost('text', 'Characters of any other string, but for the texts of imported sessions.'),
  MAX_LINK: atMost('link', 'Characters of a link in uploaded_files.'),
  MAX_JSON_BYTES: atMost('jsonBytes', 'Bytes of a JSON or urlencoded body.'),
  MAX_FILE_BYTES: atMost('fileBytes', 'Bytes of one uploaded file.'),
  MAX_FILES: atMost('files', 'Uploaded files in one request.'),
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
  /** Without a slash at the end. */
  publicUrl: string | undefined
  timeZone: string
  dayOfWeek: Settings['DAY_OF_WEEK']
  access: Settings['ACCESS']
  logLevel: Settings['LOG_LEVEL']
  pageCacheBytes: number
  signatureKey: Buffer | undefined
  limits: Limits
}

/** A setting with its value and where it came from. */
export interface EffectiveSetting {
  name: SettingName
  value: string | number | undefined
  source: 'default' | 'environment'
  /** Whether it is not to be shown: what is meant to be secret, and a URL with a password, wherever it is written. */
  secret: boolean
}

/** A wrong value; the message is one line for the operator. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

const validator = Compile(Settings)

/**
 * Reads the configuration; the only place that looks at the environment. An empty variable counts as unset.
 * @throws ConfigError with one line that names every wrong variable
 */
export function readConfig(environment: Environment): { config: Config; effective: EffectiveSetting[] } {
  const { effective, settings, wrong } = look(environment)
  if (!settings || wrong.size > 0) throw new ConfigError([...wrong.values()].join(' '))
  return { config: toConfig(settings), effective }
}

/** Every setting as it was given, and for each wrong one a sentence that says what it should have been. */
export function inspectConfig(environment: Environment): { effective: EffectiveSetting[]; wrong: WrongSettings } {
  const { effective, wrong } = look(environment)
  return { effective, wrong }
}

type WrongSettings = ReadonlyMap<string, string>

/** @returns no settings where one of them has a wrong value */
function look(environment: Environment): {
  effective: EffectiveSetting[]
  settings: Settings | undefined
  wrong: WrongSettings
} {
  const effective = Object.entries(Settings.properties).map(([name, schema]): EffectiveSetting => {
    const given = environment[name]?.trim() || undefined
    const { default: fallback, type, 'x-secret': secret = false } = { default: undefined, type: '', ...schema } as Meta
    const value = given === undefined ? fallback : type === 'integer' && /^\d+$/.test(given) ? Number(given) : given
    const source = given === undefined ? 'default' : 'environment'
    return { name: name as SettingName, value, source, secret: secret || String(value).includes('@') }
  })
  const settings: unknown = Object.fromEntries(
    effective.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  if (!validator.Check(settings))
    return { effective, settings: undefined, wrong: explain(validator.Errors(settings), effective) }
  return { effective, settings, wrong: accidentalExposure(settings, effective) }
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

/** With open access anybody who reaches the port may write, so listening to the network has to be meant. */
function accidentalExposure({ HOST }: Settings, effective: EffectiveSetting[]): WrongSettings {
  const accessIsGiven = effective.some(({ name, source }) => name === 'ACCESS' && source === 'environment')
  if (isLoopback(HOST) || accessIsGiven) return new Map()
  const sentence =
    `HOST=${HOST} would let anybody who reaches this machine read and write as any participant. ` +
    'If that is meant, set ACCESS=open as well; otherwise leave HOST at 127.0.0.1.'
  return new Map([['HOST', sentence]])
}

function explain(errors: ReturnType<typeof validator.Errors>, effective: readonly EffectiveSetting[]): WrongSettings {
  const wrong = new Set(errors.map((error) => error.instancePath.split('/')[1]))
  const explained = effective
    .filter(({ name }) => wrong.has(name))
    .map(({ name, value, secret }): [string, string] => {
      const found = secret ? '' : ` It is ${JSON.stringify(String(value))}.`
      return [name, `${name} ${expectation[name] ?? ''}${found}`]
    })
  return new Map(explained)
}

const wholeNumber = Object.fromEntries(
  Object.keys(Settings.properties)
    .filter((name) => name.startsWith('MAX_'))
    .map((name) => [name, 'must be a whole number of at least 1.']),
)

/** What a wrong value should have been. */
const expectation: Record<string, string> = {
  ...wholeNumber,
  HOST: 'must be an IP address or a host name, without a port.',
  PORT: 'must be a whole number from 0 to 65535.',
  WORKERS: 'must be a whole number from 1 to 128.',
  DATABASE_URL: databaseUrl.expectation,
  BLOBS_URL: 'must be s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=…], percent-encoded.',
  BEGIN_WITH: 'must be sample or empty.',
  PUBLIC_URL: 'must be an http or https URL without user, query, fragment and blanks.',
  TIMEZONE: 'must be an IANA time zone such as Europe/Berlin.',
  DAY_OF_WEEK: 'must be iso, mysql or js.',
  ACCESS: 'must be open; this version has no other mode.',
  LOG_LEVEL: 'must be silent, error, warn, info or debug.',
  PAGE_CACHE_BYTES: 'must be a whole number of bytes, or 0.',
  SIGNATURE_KEY: 'must be 64 hex digits.',
}

/** An address, or a name. What ends like an IPv4 address is none else (https://url.spec.whatwg.org/#ends-in-a-number-checker). */
function isHost(text: string): boolean {
  return isIP(text) !== 0 || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && !/(^|\.)\d+\.?$/.test(text))
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  // A name and password would be told to every client, in every link.
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
