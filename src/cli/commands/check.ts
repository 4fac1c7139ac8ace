import { checkDatabase, checkFiles, Findings } from '../../server/commands/check/check.ts'
import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { Failure } from '../../server/core/failure.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { assertNoUnfinishedMove } from '../../server/lifecycle/start/unfinished-move.ts'
import { openBlobReader } from '../../server/storage/blobs/open.ts'
import { blobsDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { CannotOpen } from '../../server/storage/db/cannot-open.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { assertSchema } from '../../server/storage/db/migrate.ts'
import type { Db } from '../../server/storage/db/tables.ts'
import { progress } from '../progress.ts'
import { withExistingSummit } from '../with-context.ts'

/**
 * `summit check`: reads every row and every stored file, and lists what is damaged or missing. It writes nothing and is
 * safe to run next to a server. The exit code is 1 if any problem is found.
 */
export async function check(config: Config): Promise<void> {
  await withExistingSummit(config, async () => {
    // The folder exists; this call refuses root, whose files the folder's owner could not use.
    if (config.database.kind === 'folder') await makeDataDir(config.dataDir)
    print(await checkAll(config))
  })
}

async function checkAll(config: Config): Promise<Findings> {
  const findings = new Findings()
  await using opened = new AsyncDisposableStack()
  const database = opened.adopt(await openInspection(config.database), (inspection) => inspection.close())
  await assertSupported(database.read)
  const blobs = opened.adopt(await openBlobReader(config.blobs, blobsDir(config)), (reader) => reader.close())
  await checkDatabase(database, findings, progress)
  const isDatabaseSound = findings.problems === 0
  await checkFiles(database.read, blobs, findings, progress).catch((error: unknown) => {
    // Unreadable rows have been reported by the database check.
    if (isDatabaseSound || error instanceof Failure) throw error
    findings.add('Some files were not checked because their rows cannot be read.')
  })
  return findings
}

/**
 * @throws CannotOpen if the database is sound but cannot be used by this version, or is the target of an unfinished
 *   move
 */
async function assertSupported(read: Db): Promise<void> {
  try {
    await assertSchema(read)
    await assertNoUnfinishedMove(read)
  } catch (error) {
    // Any other error is damage, which the check reports.
    if (error instanceof CannotOpen) throw error
  }
}

function print({ rows, files, problems, listed }: Findings): void {
  console.log(`Checked: ${formatCount(rows, 'row')}, ${formatCount(files, 'stored file')}`)
  if (problems === 0) {
    console.log('Nothing is damaged or missing.')
    return
  }
  for (const problem of listed) console.log(`  ${problem}`)
  if (problems > listed.length) console.log(`  … and ${problems - listed.length} more`)
  console.log(
    `\nDamaged or missing: ${problems}. Restore stored files with ${commandName} restore --files, and rows with ${commandName} restore; see docs/operate/troubleshooting.md, “Damage”.`,
  )
  process.exitCode = 1
}
