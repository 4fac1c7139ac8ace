import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder } from './temporary-folder.ts'
import type { RecordedStatement } from './watch-queries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs the quick tests of an engine, and returns every statement of the product that they run. */
export async function recordStatements(project: 'sqlite' | 'long-postgres'): Promise<RecordedStatement[]> {
  await using folder = await createTemporaryFolder()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', project, '--exclude', '**/*.long.test.ts']
  const { VITEST_POOL_ID: _, VITEST_WORKER_ID: __, VITEST: ___, ...env } = process.env
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, TEST_QUERIES: folder.path },
    stdio: 'ignore',
  })
  // Whether they pass is the concern of their own run.
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const files = await Promise.all((await readdir(folder.path)).map((name) => readFile(join(folder.path, name), 'utf8')))
  return files.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line))
}
