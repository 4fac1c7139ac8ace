import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { launchServer } from '../faults/server-process.ts'
import { waitUntil } from '../wait-until.ts'

/** Megabytes of memory that a process has in use. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

test.skipIf(process.platform !== 'linux')(
  'a server takes at most 160 MB when idle after its first start, which loads the sample, and 130 MB after its second',
  async () => {
    await using folder = await createDataFolder()
    for (const limit of [160, 130]) {
      await using server = launchServer(folder.dir, {}, { options: [] })
      await waitUntil('the server is ready', () => server.stdout().includes('Summit is running'))
      await sleep(10_000)
      expect(await residentMegabytes(server.pid)).toBeLessThan(limit)
      await server.kill('SIGTERM')
    }
  },
)
