import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder } from './temporary-folder.ts'
import type { RecordedStatement } from './watch-queries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Every statement of the product that the quick tests run, on either engine: as `RECORDED_QUERIES` has them, the folder
 * into which an earlier run of these tests has recorded them, or by running them.
 */
export async function recordStatements(): Promise<RecordedStatement[]> {
  const { RECORDED_QUERIES: recorded } = process.env
  if (recorded !== undefined) return readStatements(recorded)
  await using folder = await createTemporaryFolder()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'sqlite', '--project', 'postgres']
  const { VITEST_POOL_ID: _, VITEST_WORKER_ID: __, VITEST: ___, ...env } = process.env
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, TEST_QUERIES: folder.path },
    stdio: 'ignore',
  })
  // Whether they pass is the concern of their own run.
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return readStatements(folder.path)
}

async function readStatements(folder: string): Promise<RecordedStatement[]> {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  return files.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line))
}
