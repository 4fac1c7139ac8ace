import { expect, test } from 'vitest'
import { runSummit } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'

test.each([['--empty'], ['serve --empty']])('summit %s serves until it is stopped', async (command) => {
  await using folder = await createDataFolder()
  const settings = { DATA_DIR: folder.dir, PORT: '0', LOG_LEVEL: 'error' }
  const { code, out } = await runSummit(command.split(' '), settings, (server) => {
    server.stdout?.on('data', (text: string) => {
      if (text.includes('Summit is running at')) server.kill('SIGTERM')
    })
  })
  expect(out).toContain('holds   0 sessions')
  expect(code).toBe(0)
})
