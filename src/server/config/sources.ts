import { readSettingsFile, type SettingsFile } from './settings-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A place where settings are given. */
export interface SettingsSource {
  /** As shown to the operator: `environment`, or the path of a file. */
  name: string
  values: Environment
}

/** The options of the command line that choose the summit. */
export interface SettingsOptions {
  dataDir?: string | undefined
  envFile?: string | undefined
}

/** Everything that was given: the sources in the order in which they take precedence. */
export interface GivenSettings {
  sources: readonly SettingsSource[]
  file: SettingsFile | undefined
  /** Variables of the file that libraries read from the environment: credentials of S3, defaults of PostgreSQL. */
  forLibraries: Environment
}

export const fromEnvironment = (values: Environment): GivenSettings => ({
  sources: [{ name: 'environment', values }],
  file: undefined,
  forLibraries: {},
})

/** See `GivenSettings.forLibraries`. */
export const isForLibraries = (name: string): boolean => /^(AWS_|PG)[A-Z]/.test(name)

/** @throws OperatorError if the settings file cannot be read */
export function readSources(environment: Environment, { dataDir, envFile }: SettingsOptions): GivenSettings {
  const file = readSettingsFile(envFile)
  return {
    sources: [
      { name: '--data-dir', values: { DATA_DIR: dataDir } },
      { name: 'environment', values: environment },
      ...(file ? [{ name: file.path, values: file.values }] : []),
    ],
    file,
    forLibraries: Object.fromEntries(
      Object.entries(file?.values ?? {}).filter(([name]) => isForLibraries(name) && environment[name] === undefined),
    ),
  }
}
