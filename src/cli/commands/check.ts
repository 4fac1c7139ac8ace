import { openBlobReader } from '../../server/blobs/open.ts'
import { checkDatabase } from '../../server/check/database.ts'
import { checkFiles } from '../../server/check/files.ts'
import { Findings } from '../../server/check/findings.ts'
import type { Config } from '../../server/config.ts'
import { blobsDir } from '../../server/context.ts'
import { Failure } from '../../server/core/failure.ts'
import { makeDataDir } from '../../server/data-dir/data-dir.ts'
import { CannotOpen } from '../../server/db/cannot-open.ts'
import { openInspection } from '../../server/db/inspect.ts'
import { assertSchema } from '../../server/db/migrate.ts'
import type { Db } from '../../server/db/tables.ts'
import { assertNoUnfinishedMove } from '../../server/lifecycle/unfinished-move.ts'
import { progress } from '../progress.ts'
import { withConfig } from '../with-context.ts'

/**
 * `summit check`: reads every row and every stored file, and lists what is damaged or missing. It writes nothing, and a
 * server may run meanwhile. The exit code is 1 if there is anything to list.
 */
export async function check(): Promise<void> {
  await withConfig(async (config) => {
    // The folder is there: this keeps root from leaving in it what its owner cannot use.
    if (config.database.kind === 'folder') await makeDataDir(config.dataDir)
    print(await checkAll(config))
  })
}

async function checkAll(config: Config): Promise<Findings> {
  const findings = new Findings()
  await using opened = new AsyncDisposableStack()
  const database = opened.adopt(await openInspection(config.database), (inspection) => inspection.close())
  await refuseUnusable(database.read)
  const blobs = opened.adopt(await openBlobReader(config.blobs, blobsDir(config)), (reader) => reader.close())
  await checkDatabase(database, findings, progress)
  const isReadable = findings.problems === 0
  await checkFiles(database.read, blobs, findings, progress).catch((error: unknown) => {
    // Where rows cannot be read, that has been found already.
    if (isReadable || error instanceof Failure) throw error
    findings.add('The files were not all checked, as their rows cannot be read.')
  })
  return findings
}

/** @throws CannotOpen for what is whole, but not to be read by this version */
async function refuseUnusable(read: Db): Promise<void> {
  try {
    await assertSchema(read)
    await assertNoUnfinishedMove({ read })
  } catch (error) {
    // What else there is the check finds.
    if (error instanceof CannotOpen) throw error
  }
}

function print({ rows, files, problems, listed }: Findings): void {
  console.log(`Checked: ${count(rows, 'row')}, ${count(files, 'stored file')}`)
  if (problems === 0) {
    console.log('Nothing is damaged or missing.')
    return
  }
  for (const problem of listed) console.log(`  ${problem}`)
  if (problems > listed.length) console.log(`  … and ${problems - listed.length} more`)
  console.log(`\nDamaged or missing: ${problems}. Restore it from a backup; see docs/operate.md, “Damage”.`)
  process.exitCode = 1
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
