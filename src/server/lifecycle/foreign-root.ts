import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import type { SettingsOptions } from '../config/sources.ts'
import { commandName } from '../core/command-name.ts'
import { assertNotForeignRoot } from '../data-dir/data-dir.ts'
import { hidePassword } from '../db/target.ts'

/**
 * Refuses root where another user owns `DATA_DIR`, before anything else, with the command that this user can run.
 * @param args the name of the command with its arguments
 * @throws AccessDenied
 */
export async function refuseForeignRoot(
  { dataDir }: Config,
  options: SettingsOptions,
  args: readonly string[],
): Promise<void> {
  const dir = resolve(dataDir)
  await assertNotForeignRoot(dir, describeCommand(dir, options, args))
}

/** The command as it can be run by another user, who does not have the environment of this one. */
const describeCommand = (dataDir: string, { envFile }: SettingsOptions, args: readonly string[]): string =>
  [commandName, '--data-dir', dataDir, ...(envFile === undefined ? [] : ['--env-file', envFile]), ...args]
    .map((arg) => hidePassword(arg))
    .map((arg) => (arg === commandName || /^[\w@%+=:,./…-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))
    .join(' ')
