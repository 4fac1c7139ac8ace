import { commandName } from '../../server/core/command-name.ts'
import { assertDatabasePresent } from '../../server/lifecycle/start/lost-database.ts'
import { assertNotMoved } from '../../server/lifecycle/start/moved.ts'
import { describeContent, describeLocation } from '../../server/lifecycle/start/summit-description.ts'
import { assertNoUnfinishedMove } from '../../server/lifecycle/start/unfinished-move.ts'
import { type DatabaseState, readDatabaseState } from '../../server/storage/db/database-state.ts'
import { describeDatabase, isInitialized } from '../../server/storage/db/initialized.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import type { Inspection } from '../../server/storage/db/inspection.ts'
import { findPendingMigrations } from '../../server/storage/db/migrate.ts'
import { progress } from '../progress.ts'
import { type Check, type Diagnosis, ok, problem, warning } from './diagnosis.ts'

/** Whether the database can be reached, has this version's schema, is the place of the summit, and is undamaged. */
export const checkDatabase: Check = async ({ loaded }) => {
  const { database: target } = loaded.config
  await assertDatabasePresent(loaded.config)
  if (!(await isInitialized(target)))
    return [
      warning(
        `There is no summit in ${describeDatabase(target)} yet. The first start creates one; if there should be one, ` +
          'correct DATA_DIR or DATABASE_URL.',
      ),
    ]
  const state = await readDatabaseState(target)
  const inspection = await openInspection(target)
  try {
    return [
      ...(await inspect(inspection, describeLocation(loaded), state)),
      ...(state.server?.unsafeSettings ?? []).map(problem),
    ]
  } finally {
    await inspection.close()
  }
}

async function inspect(inspection: Inspection, place: string, { server }: DatabaseState): Promise<Diagnosis[]> {
  const { read } = inspection
  const damage = await progress('Checking the database', 1, async (onProgress) => {
    onProgress(0)
    const problems = await Array.fromAsync(inspection.findDamage())
    onProgress()
    return problems
  })
  if (damage[0] !== undefined)
    return [
      problem(
        `${damage[0]}. To list all damage: ${commandName} check; then see docs/operate/troubleshooting.md, “Damage”.`,
      ),
    ]
  const pending = await findPendingMigrations(read)
  if (pending.length > 0)
    return [warning(`${place} was written by an older Summit. Commands work once this version has been started on it.`)]
  await assertNoUnfinishedMove(read)
  await assertNotMoved(read)
  return [ok(`${place}: ${await describeContent(read)}${server ? `; ${server.version}` : ''}`)]
}
