import type { Limits } from '../../contract/limits.ts'
import { OperatorError } from '../core/errors.ts'
import type { MailTarget } from '../platform/mail/mail-target.ts'
import type { BackupTarget } from '../storage/blobs/backup-target.ts'
import type { BlobTarget } from '../storage/blobs/blob-target.ts'
import type { DatabaseTarget } from '../storage/db/target.ts'
import { checkSettings, type InvalidSettings } from './checks.ts'
import { expectations } from './expectations.ts'
import { findSecretProblem } from './formats.ts'
import { findIgnoredSettings } from './misspelt.ts'
import { type SettingName, Settings, settingsValidator } from './settings.ts'
import { type Environment, fromEnvironment, type GivenSettings, readSources, type SettingsOptions } from './sources.ts'
import { toConfig } from './to-config.ts'

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
  feedbackReaders: Settings['FEEDBACK_READERS']
  /** The writes of a participant that are accepted at once, and per minute from then on; 0 for no limit. */
  writesPerMinute: number
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
  const validator = settingsValidator()
  if (!validator.Check(settings))
    return { effective, settings: undefined, invalid: describeErrors(validator.Errors(settings), effective) }
  return {
    effective,
    settings,
    invalid: checkSettings(settings, effective),
  }
}

interface Meta {
  default: string | number | undefined
  type: string
  'x-secret'?: boolean
}

type SettingErrors = ReturnType<ReturnType<typeof settingsValidator>['Errors']>

function describeErrors(errors: SettingErrors, effective: readonly EffectiveSetting[]): InvalidSettings {
  const invalidNames = new Set(errors.map((error) => error.instancePath.split('/')[1]))
  const messages = effective
    .filter(({ name }) => invalidNames.has(name))
    .map(({ name, value, isSecret }): [string, string] => {
      const text = String(value)
      const reason = isSecret ? findSecretProblem(name, text) : `is ${JSON.stringify(text)}`
      return [name, `${name} ${expectations[name]}${reason === undefined ? '' : ` It ${reason}.`}`]
    })
  return new Map(messages)
}
