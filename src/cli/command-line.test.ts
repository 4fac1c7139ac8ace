import { existsSync } from 'node:fs'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { runSummit, runSummitInProcess } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'

test('an operator sees every setting with its source, and no secret', async () => {
  const { code, out } = await runSummitInProcess(['config'], { PORT: '4000', SIGNATURE_KEY: 'ab'.repeat(32) })
  expect(code).toBe(0)
  expect(out).toMatch(/^PORT +4000 +environment$/m)
  expect(out).toMatch(/^HOST +127\.0\.0\.1 +default$/m)
  expect(out).toMatch(/^SIGNATURE_KEY +\(hidden\) +environment$/m)
})

test('an invalid setting is reported in one line, with exit code 1', async () => {
  const line = 'PORT must be a whole number from 0 to 65535. It is "eighty".\n'
  expect(await runSummit(['sweep'], { PORT: 'eighty' })).toEqual({ code: 1, out: '', err: line })
})

test('an operator sees all settings, with the invalid ones marked', async () => {
  const { code, out, err } = await runSummitInProcess(['config'], {
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'https://me:s3cret@summit.example',
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^PORT +eighty +environment {2}INVALID$/m)
  expect(out).toMatch(/^PUBLIC_URL +\(hidden\) +environment {2}INVALID$/m)
  expect(out).toMatch(/^DATA_DIR +\.\/data +default$/m)
  expect(err.split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535. It is "eighty".',
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces.',
    'LOG_LEVEL must be silent, error, warn, info or debug. It is "loud".',
    '',
  ])
})

test('an operator sees the version, and in the help which summit commands use', async () => {
  expect(await runSummit(['--version'])).toEqual({ code: 0, out: `${packageJson.version}+source\n`, err: '' })
  expect((await runSummit(['import', 'program', '--help'])).out).toContain('DATA_DIR')
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
