import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '../src/client/client.ts'
import { median } from './measure.ts'
import { markdownTable } from './report.ts'
import { createScratchDatabase } from './scratch-database.ts'
import { startSummit } from './server.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../src/cli/main.ts')

/** As many as a large congress has, and twice as many for the search. */
const movedSessions = 1_000
const allSessions = 2_000
const rooms = 40
const publications = 5
const searches = 400

const subjects = ['boats', 'harbours', 'lanterns', 'knots', 'tides', 'maps', 'ferries', 'nets', 'sails', 'lighthouses']
const views = ['A history of', 'Repairing', 'The politics of', 'Small', 'Open', 'Learning from', 'Against', 'After']

const titleOf = (index: number): string =>
  `${views[index % views.length]} ${subjects[index % subjects.length]} ${index + 1}`

/** A program of four days, as CSV. */
function programCsv(): string {
  const rows = Array.from({ length: allSessions }, (_, index) => {
    const slot = Math.floor(index / rooms)
    const hour = String(8 + (slot % 13)).padStart(2, '0')
    const date = `2030-05-0${1 + Math.floor(slot / 13)}`
    return `S${index},${titleOf(index)},${date},${hour}:00,${hour}:45,Room ${index % rooms},Speaker ${index % 700}`
  })
  return ['Session ID,Title,Date,Start,End,Room,Speaker', ...rows].join('\n')
}

const p99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)] ?? 0

async function measureOn(engine: string, database: Record<string, string>): Promise<string[][]> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-program-'))
  const settings = { ...database, DATA_DIR: join(work.path, 'data'), PORT: '0', LOG_LEVEL: 'error' }
  const env = { ...settings, PATH: process.env.PATH, BEGIN_WITH: 'empty' }
  const file = join(work.path, 'program.csv')
  await writeFile(file, programCsv())
  const summit = (...args: string[]) => run(process.execPath, [cli, ...args], { env, maxBuffer: 2 ** 26 })
  {
    // The first start creates the summit.
    await using _first = await startSummit({ ...settings, BEGIN_WITH: 'empty' }, join(work.path, 'log'))
  }
  await summit('import', 'program', file, '--apply')
  const { stdout } = await summit('key', 'create', 'bench', '--role', 'editor')
  const [secret] = /smt_\S+/.exec(stdout) ?? []
  await using server = await startSummit(settings, join(work.path, 'log'))
  const client = createClient(server.url, { headers: { authorization: `Bearer ${secret}` } })

  const published: number[] = []
  for (let round = 0; round < publications; round++) {
    const { events } = (await client.getDraft({})).draft
    for (const { id, revision, starts_at } of events.slice(0, movedSessions)) {
      const minutes = round % 2 === 0 ? '05' : '00'
      const moved = `${starts_at?.slice(0, 10)} ${starts_at?.slice(11, 13)}:${minutes}`
      await client.updateEvent({ id: Number(id), revision, starts_at: moved })
    }
    const start = performance.now()
    await client.publish({ note: `Round ${round}` })
    published.push(performance.now() - start)
  }
  const found: number[] = []
  for (let index = 0; index < searches; index++) {
    const word = subjects[index % subjects.length]?.slice(0, 3 + (index % 4)) ?? ''
    const start = performance.now()
    await client.searchProgram({ q: index % 3 === 0 ? `${word} ${index}` : word })
    found.push(performance.now() - start)
  }
  found.sort((a, b) => a - b)
  const ms = (value: number | undefined) => (value ?? 0).toFixed(1)
  return [
    [engine, `publication of ${movedSessions} moved sessions`, ms(median(published)), ms(Math.max(...published))],
    [engine, `search in ${allSessions} sessions`, ms(found[Math.floor(searches / 2)]), ms(p99(found))],
  ]
}

/**
 * Measures what editors and attendees wait for in a large program.
 * @param databaseUrl a PostgreSQL to measure on as well, in a temporary database beside it
 * @returns a Markdown table: the median of five publications with the longest, and of searches with the p99
 */
export async function measureProgram(databaseUrl: string | undefined): Promise<string> {
  const results = await measureOn('sqlite', {})
  if (databaseUrl !== undefined) {
    await using scratch = await createScratchDatabase(databaseUrl, 'program')
    results.push(...(await measureOn('pg', { DATABASE_URL: scratch.url })))
  }
  return markdownTable(['engine', 'what', 'median ms', 'longest, p99 ms'], results)
}
