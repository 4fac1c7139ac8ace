import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'

/** Imports a CSV file with these lines; what the command prints. */
export async function importLines(t: TestApp, lines: readonly string[], ...options: string[]) {
  const file = join(t.dataDir, 'program.csv')
  await writeFile(file, lines.join('\n'))
  return (await runSummitInProcess(['import', 'program', file, ...options], t.settings)).out
}

export const linesLike = (text: string, pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line))

export const header = 'id,title,start,room'

export const talks = (count: number, room: string) =>
  Array.from({ length: count }, (_, n) => `${n},Talk ${n},2030-05-02 09:${String(n).padStart(2, '0')},${room}`)
