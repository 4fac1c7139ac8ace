import type { Limits } from '../../contract/limits.ts'
import { type BackupTarget, overlap, parseBackupTarget } from '../blobs/backup-target.ts'
import { type BlobTarget, blobTarget } from '../blobs/blobs-url.ts'
import { isLoopback } from '../core/loopback.ts'
import { OperatorError } from '../core/operator-error.ts'
import { dayMs, hourMs, minuteMs } from '../core/time-units.ts'
import type { DatabaseTarget } from '../db/target.ts'
import { type MailTarget, mailTarget } from '../mail/mail-target.ts'
import { splitList } from './list.ts'
import { findIgnoredSettings } from './misspelt.ts'
import { compileSettings, expectations, type SettingName, Settings } from './settings.ts'
import { type Environment, fromEnvironment, type GivenSettings, readSources, type SettingsOptions } from './sources.ts'

/** The configuration as the program uses it. */
export interface Config {
  host: string
  port: number
  workers: number
  dataDir: string
  database: DatabaseTarget
  blobs: BlobTarget
  backup: BackupConfig
  beginWith: Settings['BEGIN_WITH']
  /** Without a trailing slash. */
  publicUrl: string | undefined
  /** Origins of web apps that may use the API, as browsers send them. */
  corsOrigins: ReadonlySet<string>
  /** Addresses and networks of reverse proxies whose `X-Forwarded-For` is true. */
  trustedProxies: readonly string[]
  timeZone: string
  dayOfWeek: Settings['DAY_OF_WEEK']
  access: Settings['ACCESS']
  erasePosts: Settings['ERASE_POSTS']
  /** The day after whose end all participants are erased, `YYYY-MM-DD`; undefined for never. */
  erasePersonalDataAfter: string | undefined
  /** Undefined if nothing is sent by e-mail. */
  mail: MailTarget | undefined
  /** Undefined if organizers do not sign in with accounts of an identity provider. */
  oidc: OidcConfig | undefined
  /** The last day of the summit, `YYYY-MM-DD`. */
  summitEnds: string | undefined
  logLevel: Settings['LOG_LEVEL']
  pageCacheBytes: number
  signatureKey: Buffer | undefined
  auditKey: Buffer | undefined
  limits: Limits
}

/** This summit as a client of an identity provider (OpenID Connect). */
export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface BackupConfig {
  /** Where backups are stored; undefined for none. */
  to: BackupTarget | undefined
  /** Milliseconds between backups that the server makes; undefined if it makes none. */
  everyMs: number | undefined
  /** Encrypts backups, 32 bytes. */
  key: Buffer | undefined
}

/** A setting with its value and its source. */
export interface EffectiveSetting {
  name: SettingName
  value: string | number | undefined
  /** `default`, or the name of the source that gives it. */
  source: string
  /** Whether the value must not be shown: a secret setting, or any value that may contain a URL with a password. */
  isSecret: boolean
}

/** Invalid settings; the message is one line for the operator. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

/** The configuration and what it was read from. */
export interface LoadedConfig {
  config: Config
  effective: EffectiveSetting[]
  /** The settings that were given, wherever: the environment of a process that is to have the same configuration. */
  environment: Environment
}

/**
 * Reads the configuration; nothing else reads environment variables. An empty variable counts as unset.
 * @throws ConfigError with one line that names every invalid variable
 */
export const readConfig = (environment: Environment): LoadedConfig => evaluateValid(fromEnvironment(environment))

/**
 * Reads the configuration of a server or command: from its options, the environment, and the settings file.
 * @throws ConfigError, OperatorError if the settings file cannot be read
 */
export function loadConfig(
  environment: Environment,
  options: SettingsOptions,
): LoadedConfig & Pick<GivenSettings, 'forLibraries'> & { ignored: string[] } {
  const given = readSources(environment, options)
  return { ...evaluateValid(given), forLibraries: given.forLibraries, ignored: findIgnoredSettings(given) }
}

function evaluateValid(given: GivenSettings): LoadedConfig {
  const { effective, settings, invalid } = evaluate(given)
  if (!settings || invalid.size > 0) throw new ConfigError([...invalid.values()].join(' '))
  const environment = Object.fromEntries(
    effective.flatMap(({ name, value, source }) => (source === 'default' ? [] : [[name, String(value)]])),
  )
  return { config: toConfig(settings), effective, environment }
}

/** Every setting as given, a message for each invalid one, and the names that are ignored. */
export function inspectConfig(given: GivenSettings): {
  effective: EffectiveSetting[]
  invalid: InvalidSettings
  ignored: string[]
} {
  const { effective, invalid } = evaluate(given)
  return { effective, invalid, ignored: findIgnoredSettings(given) }
}

/** Messages by name of the setting. */
type InvalidSettings = ReadonlyMap<string, string>

/** @returns `settings` is undefined if a value fails validation */
function evaluate({ sources }: GivenSettings): {
  effective: EffectiveSetting[]
  settings: Settings | undefined
  invalid: InvalidSettings
} {
  const effective = Object.entries(Settings.properties).map(([name, schema]): EffectiveSetting => {
    const from = sources.find(({ values }) => values[name]?.trim())
    const given = from?.values[name]?.trim()
    const {
      default: fallback,
      type,
      'x-secret': isSecretSetting = false,
    } = { default: undefined, type: '', ...schema } as Meta
    const value = given === undefined ? fallback : type === 'integer' && /^\d+$/.test(given) ? Number(given) : given
    return {
      name: name as SettingName,
      value,
      source: from?.name ?? 'default',
      isSecret: isSecretSetting || String(value).includes('@'),
    }
  })
  const settings: unknown = Object.fromEntries(
    effective.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  const validator = compileSettings()
  if (!validator.Check(settings))
    return { effective, settings: undefined, invalid: describeErrors(validator.Errors(settings), effective) }
  return {
    effective,
    settings,
    invalid: new Map([
      ...checkExposure(settings, effective),
      ...checkPublicUrl(settings),
      ...checkLocations(settings),
      ...checkMail(settings),
      ...checkOidc(settings),
    ]),
  }
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
  backup: {
    to: settings.BACKUP_TO === undefined ? undefined : parseBackupTarget(settings.BACKUP_TO),
    everyMs: settings.BACKUP_TO === undefined ? undefined : toMs(settings.BACKUP_EVERY),
    key: settings.BACKUP_KEY === undefined ? undefined : Buffer.from(settings.BACKUP_KEY, 'hex'),
  },
  beginWith: settings.BEGIN_WITH,
  publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
  corsOrigins: new Set(splitList(settings.CORS_ORIGINS)),
  trustedProxies: splitList(settings.TRUSTED_PROXIES),
  timeZone: settings.TIMEZONE,
  dayOfWeek: settings.DAY_OF_WEEK,
  access: settings.ACCESS,
  erasePosts: settings.ERASE_POSTS,
  erasePersonalDataAfter: settings.ERASE_PERSONAL_DATA_AFTER,
  mail: mailTarget(settings.SMTP_URL, settings.MAIL_FROM),
  oidc: oidcConfig(settings),
  summitEnds: settings.SUMMIT_ENDS,
  logLevel: settings.LOG_LEVEL,
  pageCacheBytes: settings.PAGE_CACHE_BYTES,
  signatureKey: settings.SIGNATURE_KEY === undefined ? undefined : Buffer.from(settings.SIGNATURE_KEY, 'hex'),
  auditKey: settings.AUDIT_KEY === undefined ? undefined : Buffer.from(settings.AUDIT_KEY, 'hex'),
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

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs }

/** @returns undefined for `never` */
const toMs = (duration: string): number | undefined =>
  duration === 'never' ? undefined : Number.parseInt(duration, 10) * (unitMs[duration.slice(-1)] ?? 0)

/** `sweep` removes what it does not know below the location of the files. */
function checkLocations({ BLOBS_URL, BACKUP_TO }: Settings): InvalidSettings {
  if (BLOBS_URL === undefined || BACKUP_TO === undefined) return new Map()
  return overlap(blobTarget(BLOBS_URL), parseBackupTarget(BACKUP_TO))
    ? new Map([['BACKUP_TO', 'BACKUP_TO must not be in the location of BLOBS_URL, nor the other way round.']])
    : new Map()
}

/** Printed mail shows codes and links that sign in. */
function checkMail({ HOST, SMTP_URL, MAIL_FROM }: Settings): InvalidSettings {
  if (SMTP_URL === 'log')
    return isLoopback(HOST)
      ? new Map()
      : new Map([
          ['SMTP_URL', `SMTP_URL=log prints mail for anyone who reads the log. With HOST=${HOST}, set a mail server.`],
        ])
  return (SMTP_URL === undefined) === (MAIL_FROM === undefined)
    ? new Map()
    : new Map([['MAIL_FROM', 'MAIL_FROM and SMTP_URL must be set together.']])
}

function checkOidc(settings: Settings): InvalidSettings {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = settings
  const given = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter((value) => value !== undefined)
  return given.length === 0 || oidcConfig(settings)
    ? new Map()
    : new Map([['OIDC_ISSUER', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.']])
}

function oidcConfig({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Settings): OidcConfig | undefined {
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined) return undefined
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET }
}

/** With open access anyone who can reach the port may write, so listening on the network must be explicit. */
function checkExposure({ HOST }: Settings, effective: EffectiveSetting[]): InvalidSettings {
  const isAccessSet = effective.some(({ name, source }) => name === 'ACCESS' && source !== 'default')
  if (isLoopback(HOST) || isAccessSet) return new Map()
  const message =
    `HOST=${HOST} would let anyone who can reach this machine read and write as any participant. ` +
    'To allow that, also set ACCESS=open; to prevent it, ACCESS=public or members; otherwise leave HOST at 127.0.0.1.'
  return new Map([['HOST', message]])
}

/** Clients send their keys to this address. */
function checkPublicUrl({ ACCESS, PUBLIC_URL }: Settings): InvalidSettings {
  if (ACCESS === 'open') return new Map()
  const { protocol, hostname } = new URL(PUBLIC_URL ?? 'none:')
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return new Map()
  const given = PUBLIC_URL === undefined ? 'not set' : JSON.stringify(PUBLIC_URL)
  const message = `PUBLIC_URL must be an https URL with ACCESS=${ACCESS}; http only for localhost. It is ${given}.`
  return new Map([['PUBLIC_URL', message]])
}

type SettingErrors = ReturnType<ReturnType<typeof compileSettings>['Errors']>

function describeErrors(errors: SettingErrors, effective: readonly EffectiveSetting[]): InvalidSettings {
  const invalidNames = new Set(errors.map((error) => error.instancePath.split('/')[1]))
  const messages = effective
    .filter(({ name }) => invalidNames.has(name))
    .map(({ name, value, isSecret }): [string, string] => {
      const found = isSecret ? '' : ` It is ${JSON.stringify(String(value))}.`
      return [name, `${name} ${expectations[name] ?? ''}${found}`]
    })
  return new Map(messages)
}
