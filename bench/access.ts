import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { standardDataSet } from './data-set.ts'
import { loadDataSet } from './load-data-set.ts'
import { type LoadOptions, measureAlternately } from './measure.ts'
import { type Server, startSummit } from './server.ts'
import type { Comparison } from './versus.ts'
import { cases } from './workload.ts'

const cli = join(import.meta.dirname, '../src/cli/main.ts')

const measured = ['R1', 'R3', 'W1']

/** The maximum ratio of processor time: nine tenths of the rate. */
const limit = 1 / 0.9

/** Servers that are started of either mode: two processes of the same code may differ by a twentieth throughout. */
const pairs = 6

/**
 * Measures reads and a write with `ACCESS=members` and a key of a moderator, alternately with `ACCESS=open`, on copies
 * of the same data.
 */
export async function compareAccess(options: LoadOptions): Promise<Comparison[]> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-access-'))
  const loaded = join(work.path, 'loaded')
  mkdirSync(loaded)
  await loadDataSet(standardDataSet(), { DATA_DIR: loaded })
  const comparisons: Comparison[] = []
  for (const { name, description, requests } of cases.filter(({ name }) => measured.includes(name))) {
    const comparison: Comparison = { name, description, limit, rounds: [] }
    for (let pair = 0; pair < pairs; pair++) {
      const copy = (mode: string) => {
        const dataDir = join(work.path, `${name}-${mode}-${pair}`)
        cpSync(loaded, dataDir, { recursive: true })
        return { DATA_DIR: dataDir, PORT: '0' }
      }
      await using open = await startSummit(copy('open'), join(work.path, 'open.log'))
      await using members = await startForMembers(copy('members'), join(work.path, 'members.log'))
      const sides = [
        { server: members, requests },
        { server: open, requests },
      ] as const
      comparison.rounds.push(...(await measureAlternately(...sides, options)))
    }
    comparisons.push(comparison)
    process.stderr.write(`${name}\n`)
  }
  return comparisons
}

/** @returns a server whose requests carry a key */
async function startForMembers(settings: Record<string, string>, log: string): Promise<Server> {
  const environment = { ...settings, ACCESS: 'members', PUBLIC_URL: 'http://localhost:3000' }
  const server = await startSummit(environment, log)
  const create = [cli, 'key', 'create', 'bench', '--role', 'moderator']
  const { stdout } = await promisify(execFile)(process.execPath, create, {
    env: { PATH: process.env.PATH, ...environment },
  })
  const [key = ''] = /smt_\S+/.exec(stdout) ?? []
  return { ...server, headers: { authorization: `Bearer ${key}` } }
}
