import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'

export const latin1 = (text: string) => Buffer.from(text, 'latin1')

export const utf8 = (text: string) => Buffer.from(text, 'utf8')

/** Imports these bytes as a program. @returns the titles of all events, and the output that the organizer sees */
export async function importBytes(t: TestApp, bytes: Buffer, name = 'program.csv', ...options: string[]) {
  const file = join(t.dataDir, name)
  await writeFile(file, bytes)
  const { code, out, err } = await runSummitInProcess(['import', 'program', file, '--apply', ...options], t.settings)
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  return {
    code,
    err,
    warnings: out.match(/^ {2}(?:line \d|\d+ rows: ).*$/gm) ?? [],
    titles: events.map(({ title }) => title),
  }
}

export const xml = (declaration: string, title: string | Buffer) =>
  Buffer.concat([
    latin1(`${declaration}<schedule><day date="2030-05-14"><room name="R"><event id="1"><start>09:00</start><title>`),
    typeof title === 'string' ? utf8(title) : title,
    latin1('</title></event></room></day></schedule>'),
  ])

export const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n`

export const csv = (...rows: (string | Buffer)[]) =>
  Buffer.concat(['Title,Start', ...rows].flatMap((row) => [typeof row === 'string' ? utf8(row) : row, latin1('\n')]))
