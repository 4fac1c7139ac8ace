import { type LoadedConfig, loadConfig } from '../server/config/config.ts'
import type { SettingsOptions } from '../server/config/sources.ts'
import { findNewLocation } from '../server/lifecycle/moved.ts'
import { describeContent, describeLocation } from '../server/lifecycle/summit-description.ts'
import { findSummitId } from '../server/lifecycle/summit-id.ts'
import { inspectSummit } from './inspect-summit.ts'
import { findServedSummit } from './served-summit.ts'

/** {@link loadForCommand} with the options of the command line. */
export type LoadForCommand = () => Promise<LoadedConfig>

/**
 * Reads the settings of a command, and names the summit that it is about to work on: an import must not change
 * another one than the organizer expects. This goes to standard error, as standard output may be an export.
 * @param environment gets the variables of the settings file that libraries read from it
 * @throws ConfigError
 */
export async function loadForCommand(environment: NodeJS.ProcessEnv, options: SettingsOptions): Promise<LoadedConfig> {
  const loaded = loadConfig(environment, options)
  Object.assign(environment, loaded.forLibraries)
  for (const message of loaded.ignored) console.error(`WARNING: ${message}`)
  const { content, id } = await readSummit(loaded)
  console.error(`Summit: ${describeLocation(loaded)}${content && `: ${content}`}`)
  const served = await findServedSummit(loaded.config)
  if (served !== undefined && served !== id)
    console.error(
      `WARNING: The server on port ${loaded.config.port} serves a different summit. To work on that one, give this command ` +
        "that server's settings, with --data-dir, --env-file, summit.env or the environment.",
    )
  return loaded
}

/** Reads the counts and the id of the summit, without creating or changing anything. */
async function readSummit({ config }: LoadedConfig): Promise<{ content: string; id?: string | undefined }> {
  try {
    const summit = await inspectSummit(config, async (db) => {
      const [content, newPlace] = [await describeContent(db), await findNewLocation(db)]
      return {
        content: newPlace === undefined ? content : `${content}; moved to ${newPlace}`,
        id: await findSummitId(config, db),
      }
    })
    return summit ?? { content: 'no summit yet' }
  } catch {
    // The command itself fails for the same reason, and says so.
    return { content: '' }
  }
}
