import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { waitUntil } from '../../../../../test/wait-until.ts'

/** A table of so many megabytes, which take a moment to copy. */
const megabytes = 200

const script = `
  const { copySnapshot } = await import(${JSON.stringify(new URL('snapshot.ts', import.meta.url).href)})
  await copySnapshot(...process.argv.slice(1))
`

/** The command lines of the processes that have this text in it; Linux lists them. */
async function commandsWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return commands.filter((command) => command.includes(text))
}

test('a copy of the database ends when the process that makes it is killed', async ({ skip }) => {
  if (process.platform !== 'linux') skip('processes are listed by Linux')
  await using folder = await createTemporaryFolder()
  {
    using database = new DatabaseSync(join(folder.path, 'summit.db'))
    database.exec(`create table filler as
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${megabytes})
      select zeroblob(1000000) from n`)
  }
  const copy = join(folder.path, 'copy.db')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder.path, copy], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await waitUntil('the copy has begun', () => existsSync(copy))
  child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])
  expect(await commandsWith(folder.path)).toEqual([])
})
