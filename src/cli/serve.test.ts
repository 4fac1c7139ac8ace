import { existsSync } from 'node:fs'
import { join } from 'node:path'
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

test.each([
  [['imprt'], "error: unknown command 'imprt'; to list them: npm run summit -- help\n"],
  [['serve', 'now'], "error: unknown command 'now'; to list them: npm run summit -- help\n"],
  [['--emty'], "error: unknown option '--emty'\n(Did you mean --empty?)\n"],
])('summit %j is refused, and nothing is created', async (args, err) => {
  await using folder = await createDataFolder()
  const dataDir = join(folder.dir, 'data')
  expect(await runSummit(args, { DATA_DIR: dataDir })).toEqual({ code: 1, out: '', err })
  expect(existsSync(dataDir)).toBe(false)
})
