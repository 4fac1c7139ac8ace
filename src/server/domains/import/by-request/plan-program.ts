import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ImportPlan } from '../../../../contract/imports.ts'
import type { Limits } from '../../../../contract/limits.ts'
import { OperatorError } from '../../../core/errors.ts'
import { readProgramBytes } from '../encoding/program-files.ts'
import { compareWithSpreadsheet } from '../program/changed-cells.ts'
import { type FilePlan, planFile } from '../program/plan-file.ts'
import type { FileScope } from '../program/program-plan.ts'
import { type ReadingChoices, readProgramFile } from '../program/read-program-file.ts'
import type { StoredProgram } from '../program/stored-program.ts'
import { isExported } from '../source.ts'
import { toImportPlan } from './program-view.ts'

/** A file to plan, with everything that the plan depends on. */
export interface ProgramJob {
  kind: 'program'
  /** Where it is. */
  path: string
  /** As messages call it. */
  name: string
  encoding: string | undefined
  choices: ReadingChoices
  source: string
  scope: FileScope
  limits: Limits
  stored: StoredProgram
}

/** A plan as it is shown, and as it is applied. */
export interface PlannedFile {
  shown: ImportPlan
  plan: Pick<FilePlan, 'sessions' | 'parts'>
}

/** Why a file has no plan, with the lines. */
export interface RejectedFile {
  rejected: { line: number | undefined; message: string }[]
  /** Whether it takes more time or memory than it may. */
  isLimit?: true
}

/**
 * Reads a file and plans its import.
 * @param readSpreadsheet reads `sessions.csv` as it is by now, with which an edited one is compared
 */
export async function planProgram(
  { path, name, encoding, choices, source, scope, limits, stored }: ProgramJob,
  readSpreadsheet: () => Promise<string>,
): Promise<PlannedFile | RejectedFile> {
  try {
    const bytes = await readFile(path)
    const files = await readProgramBytes(bytes, name, encoding)
    let program = readProgramFile(files, limits, choices, stored.events, source)
    const { sessions, warnings } = program
    if (sessions.length === 0) return { rejected: warnings.length > 0 ? warnings : [noSessions] }
    const spreadsheet = sessions.some(isExported) ? await readSpreadsheet() : ''
    if (spreadsheet !== '') program = compareWithSpreadsheet(program, spreadsheet, limits)
    const plan = planFile(stored, program, source, scope)
    const shown = toImportPlan(plan)
    const inputs = [choices, source, scope, stored, [...stored.activityTitles], spreadsheet, shown]
    const hash = createHash('sha256').update(bytes).update('\0').update(JSON.stringify(inputs)).digest('hex')
    return { shown: { hash, ...shown }, plan: { sessions: plan.sessions, parts: plan.parts } }
  } catch (error) {
    if (error instanceof OperatorError) return { rejected: [{ line: undefined, message: error.message }] }
    throw error
  }
}

const noSessions = { line: undefined, message: 'The file has no usable sessions.' }
