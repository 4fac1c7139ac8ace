import type { Progress } from '../core/progress.ts'
import type { Inspection } from '../db/inspection.ts'
import { allTables, batchesOf, countRows } from '../move/tables.ts'
import type { Findings } from './findings.ts'

/** Has the engine look for damage, and reads every row of every table. What cannot be read is a finding. */
export async function checkDatabase(database: Inspection, findings: Findings, progress: Progress): Promise<void> {
  await progress('Checking the database', 1, async (onProgress) => {
    onProgress(0)
    await findingIfThrown(findings, 'The database cannot be checked', async () => {
      for await (const problem of database.findDamage()) findings.add(problem)
    })
    onProgress()
  })
  let all = 0
  for (const table of allTables)
    await findingIfThrown(findings, `The rows of ${table} cannot be counted`, async () => {
      all += await countRows(database.read, table)
    })
  await progress('Reading rows', all, async (onProgress) => {
    for (const table of allTables)
      await findingIfThrown(findings, `The table ${table} cannot be read`, async () => {
        for await (const { length } of batchesOf(database.read, table)) {
          findings.rows += length
          onProgress(length)
        }
      })
  })
}

async function findingIfThrown(findings: Findings, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    findings.add(`${what}: ${error instanceof Error ? error.message : error}`)
  }
}
