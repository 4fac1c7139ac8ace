import { type LoadedConfig, loadConfig } from '../server/config/config.ts'
import type { SettingsOptions } from '../server/config/sources.ts'
import { refuseForeignRoot } from '../server/lifecycle/start/foreign-root.ts'
import { findNewLocation } from '../server/lifecycle/start/moved.ts'
import { describeContent, describeLocation } from '../server/lifecycle/start/summit-description.ts'
import { findSummitId } from '../server/lifecycle/start/summit-id.ts'
import type { Db } from '../server/storage/db/tables.ts'
import { findServedSummit, inspectSummit } from './find-summit.ts'

/** {@link loadForCommand} with the options of the command line. */
export type LoadForCommand = () => Promise<LoadedConfig>

/**
 * Reads the settings of a command, refuses root where the server has another user, and names the summit that it is about
 * to work on: an import must not change another one than the organizer expects. This goes to standard error, as standard
 * output may be an export.
 * @param environment gets the variables of the settings file that libraries read from it
 * @param args the name of the command with its arguments; undefined for one that creates no file, so that root may run it
 * @throws ConfigError, AccessDenied
 */
export async function loadForCommand(
  environment: NodeJS.ProcessEnv,
  options: SettingsOptions,
  args: readonly string[] | undefined,
): Promise<LoadedConfig> {
  const loaded = loadConfig(environment, options)
  if (args) await refuseForeignRoot(loaded.config, options, args)
  Object.assign(environment, loaded.forLibraries)
  for (const message of loaded.ignored) console.error(`WARNING: ${message}`)
  const summit = await readSummit(loaded)
  console.error(`Summit: ${describeLocation(loaded)}${summit.content && `: ${summit.content}`}`)
  const served = await findServedSummit(loaded.config)
  if (served !== undefined && summit.isReadable && served !== summit.id)
    console.error(
      `WARNING: The server on port ${loaded.config.port} serves a different summit. To work on that one, give this command ` +
        "that server's settings, with --data-dir, --env-file, summit.env or the environment.",
    )
  return loaded
}

interface FoundSummit {
  content: string
  id?: string | undefined
  /** Whether the id is known, if there is one. */
  isReadable: boolean
}

/** Reads the counts and the id of the summit, without creating or changing anything. */
async function readSummit({ config }: LoadedConfig): Promise<FoundSummit> {
  try {
    const summit = await inspectSummit(config, async (db) => ({
      // Of a database of another version, only the id can be read. The command itself fails for that, and says so.
      content: await describe(db).catch(() => ''),
      id: await findSummitId(config, db),
      isReadable: true,
    }))
    return summit ?? { content: 'no summit yet', isReadable: true }
  } catch {
    // The command itself fails for the same reason, and says so.
    return { content: '', isReadable: false }
  }
}

async function describe(db: Db): Promise<string> {
  const [content, newPlace] = [await describeContent(db), await findNewLocation(db)]
  return newPlace === undefined ? content : `${content}; moved to ${newPlace}`
}
