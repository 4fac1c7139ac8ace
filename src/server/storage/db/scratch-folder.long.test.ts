import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { createScratchFolder } from './scratch-folder.ts'

test('a command removes the scratch folder of one that was killed, and leaves that of one that runs', async () => {
  await using parent = await createTemporaryFolder()
  await using kept = await createScratchFolder(parent.path)
  const killed = await createInChild(parent.path)
  await writeFile(join(killed.path, 'summit.db'), 'a copy')
  await killed.kill()

  {
    await using _next = await createScratchFolder(parent.path)
    const left = (await readdir(parent.path)).filter((name) => name.endsWith('.lock'))
    expect(left).toHaveLength(2)
  }
  const base = basename(kept.path)
  expect((await readdir(parent.path)).sort()).toEqual([base, `${base}.lock`])
})

/** Creates a scratch folder in a process of its own. */
async function createInChild(parent: string): Promise<{ path: string; kill: () => Promise<void> }> {
  const script = `
    const { createScratchFolder } = await import(${JSON.stringify(new URL('./scratch-folder.ts', import.meta.url).href)})
    const { path } = await createScratchFolder(${JSON.stringify(parent)})
    process.stdout.write(path)
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [path] = await once(child.stdout, 'data')
  return {
    path: String(path),
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
