import { messageOf } from '../../core/message-of.ts'
import type { Progress } from '../../core/progress.ts'
import type { Inspection } from '../../storage/db/inspection.ts'
import { tableNames } from '../../storage/db/tables.ts'
import { countRows, readBatches } from '../move/tables.ts'
import type { Findings } from './findings.ts'

/** Runs the engine's integrity checks, and reads every row of every table. A read error is a finding. */
export async function checkDatabase(database: Inspection, findings: Findings, progress: Progress): Promise<void> {
  await progress('Checking the database', 1, async (onProgress) => {
    onProgress(0)
    await addErrorAsFinding(findings, 'The database cannot be checked', async () => {
      for await (const problem of database.findDamage()) findings.add(problem)
    })
    onProgress()
  })
  let total = 0
  for (const table of tableNames)
    await addErrorAsFinding(findings, `The rows of ${table} cannot be counted`, async () => {
      total += await countRows(database.read, table)
    })
  await progress('Reading rows', total, async (onProgress) => {
    for (const table of tableNames)
      await addErrorAsFinding(findings, `The table ${table} cannot be read`, async () => {
        for await (const { length } of readBatches(database.read, table)) {
          findings.rows += length
          onProgress(length)
        }
      })
  })
}

async function addErrorAsFinding(findings: Findings, summary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    findings.add(`${summary}: ${messageOf(error)}`)
  }
}
