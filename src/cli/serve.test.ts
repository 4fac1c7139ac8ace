import { existsSync } from 'node:fs'
import { chown, readdir } from 'node:fs/promises'
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

test('root, who starts the server of another user, gets the command for that user, and nothing is created', async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) skip('only root can give a folder away')
  await using folder = await createDataFolder()
  await chown(folder.dir, 65_534, 65_534)
  expect(await runSummit(['--env-file', '/dev/null', '--empty'], { DATA_DIR: folder.dir })).toEqual({
    code: 1,
    out: '',
    err:
      `DATA_DIR ${folder.dir} is owned by nobody, who could not use files created by root. Run the command as nobody: ` +
      `sudo -u nobody npm run summit -- --data-dir ${folder.dir} --env-file /dev/null serve --empty\n`,
  })
  expect(await readdir(folder.dir)).toEqual([])
})
