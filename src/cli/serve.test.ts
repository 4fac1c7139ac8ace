import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummit } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'

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
