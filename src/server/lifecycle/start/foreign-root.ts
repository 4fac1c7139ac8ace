import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { formatCommand } from '../../config/format-command.ts'
import type { SettingsOptions } from '../../config/sources.ts'
import { assertNotForeignRoot } from '../../storage/data-dir/data-dir.ts'

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
  // Another user does not have the environment of this one.
  const dir = resolve(dataDir)
  await assertNotForeignRoot(dir, formatCommand({ ...options, dataDir: dir }, args))
}
