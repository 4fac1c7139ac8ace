import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'

/** Imports a program from this text. */
export async function importProgram(t: TestApp, text: string) {
  const file = join(t.dataDir, 'program.csv')
  await writeFile(file, text)
  return runSummitInProcess(['import', 'program', file, '--apply'], t.settings)
}

export const undo = (t: TestApp, ...args: string[]) => runSummitInProcess(['import', 'undo', ...args], t.settings)
