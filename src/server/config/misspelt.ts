import { type SettingName, Settings } from './settings.ts'
import { type GivenSettings, isForLibraries } from './sources.ts'

const known = Object.keys(Settings.properties) as SettingName[]

/**
 * Finds settings that have no effect: unknown names and unreadable lines of the settings file, and environment
 * variables that are almost named like a setting. Other variables belong to other programs.
 * @returns a sentence for each, without its value, which may be a secret
 */
export function findIgnoredSettings({ sources, file }: GivenSettings): string[] {
  const environment = sources.find(({ name }) => name === 'environment')?.values ?? {}
  const fromEnvironment = unknownNames(environment).flatMap((name) => {
    const nearest = nearestSetting(name)
    return nearest ? [describe(`The environment variable ${name}`, nearest)] : []
  })
  if (!file) return fromEnvironment
  return [
    ...fromEnvironment,
    ...unknownNames(file.values).map((name) => describe(`${name} in ${file.path}`, nearestSetting(name))),
    ...file.unreadableLines.map((line) => `Line ${line} of ${file.path} is ignored: a setting is written NAME=value.`),
  ]
}

const unknownNames = (values: object): string[] =>
  Object.keys(values).filter((name) => !(name in Settings.properties) && !isForLibraries(name))

const describe = (subject: string, nearest: SettingName | undefined): string =>
  `${subject} is not a setting and is ignored.${nearest ? ` Did you mean ${nearest}?` : ''}`

/** The setting whose name differs by the fewest letters, if that may be a slip. */
function nearestSetting(name: string): SettingName | undefined {
  const [nearest] = known
    // Names this different in length cannot match. Skipping them saves a tenth of the start of a command.
    .filter((setting) => Math.abs(setting.length - name.length) <= maxEdits(setting))
    .map((setting) => ({ setting, edits: editDistance(name.toUpperCase(), setting) }))
    .filter(({ setting, edits }) => edits <= maxEdits(setting))
    .sort((a, b) => a.edits - b.edits)
  return nearest?.setting
}

/** Short names must be closer: HOME is not a misspelt HOST. */
const maxEdits = (setting: string): number => (setting.length < 6 ? 1 : 2)

/** The least number of letters to insert, delete or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min((row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
