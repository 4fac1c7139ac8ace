import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestApp } from '../../test/app.ts'
import { runSummit, runSummitInProcess } from '../../test/command.ts'

test('a command waits for a server that is busy', async () => {
  const busy = createServer((_request, response) => {
    setTimeout(() => response.end(JSON.stringify({ status: 'ok', summit: 'another' })), 1_200)
  })
  await using storage = await createTestStorage()
  await once(busy.listen(0, '127.0.0.1'), 'listening')
  const { port } = busy.address() as AddressInfo
  const { about } = await runSummitInProcess(['export', 'topics'], { ...storage.settings, PORT: String(port) })
  expect(about).toContain(`WARNING: The server on port ${port} serves a different summit. `)
  busy.close()
})

test('server and commands read the same settings file', async () => {
  await using t = await startTestApp()
  const file = join(t.dataDir, 'my.env')
  await writeFile(
    file,
    Object.entries(t.settings)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  )
  const { code, out, about } = await runSummit(['config', '--env-file', file])
  expect(code).toBe(0)
  expect(about).toContain(`from ${file}): 0 sessions`)
  expect(out).toMatch(new RegExp(`^DATA_DIR +${t.dataDir} +${file}$`, 'm'))
})
