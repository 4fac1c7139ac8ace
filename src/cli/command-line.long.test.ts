import { existsSync } from 'node:fs'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { publicUrl } from '../../test/access/app-with-keys.ts'
import { runSummit } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'

// The help of a command includes the text of its parents.
test.each(['', 'import', 'export', 'import images'])(
  'the help of summit %s says which summit it uses',
  async (command) => {
    const args = command.split(' ').filter(Boolean)
    expect((await runSummit([...args, '--help'])).out).toContain('DATA_DIR')
  },
)

test('summit help names any command, also one of another', async () => {
  const { code, out } = await runSummit(['help', 'key', 'create'])
  expect([code, out]).toEqual([0, (await runSummit(['key', 'create', '--help'])).out])
  expect(out).toContain('--participant')
  expect((await runSummit(['help'])).out).toContain('serve')
  expect((await runSummit(['key', 'help', 'create'])).out).toBe(out)
  const unknown = await runSummit(['help', 'key', 'crate'])
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("unknown command 'key crate'")])
})

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
  ['', true],
  ['127.0.0.1', false],
])(
  'a start behind a proxy on this machine with TRUSTED_PROXIES=%s says whether it is trusted',
  async (trusted, warns) => {
    await using folder = await createDataFolder()
    const members = { ACCESS: 'members', PUBLIC_URL: publicUrl, TRUSTED_PROXIES: trusted }
    const settings = { DATA_DIR: folder.dir, PORT: '0', LOG_LEVEL: 'error', ...members }
    const { out } = await runSummit(['--empty'], settings, (server) => {
      server.stdout?.on('data', (text: string) => {
        if (text.includes('Summit is running at')) server.kill('SIGTERM')
      })
    })
    expect(out.includes('  WARNING: TRUSTED_PROXIES is not set, so all clients of the proxy count as one. ')).toBe(
      warns,
    )
  },
)

test('an invalid setting is reported in one line, with exit code 1', async () => {
  const line = 'PORT must be a whole number from 0 to 65535. It is "eighty".\n'
  expect(await runSummit(['sweep'], { PORT: 'eighty' })).toEqual({ code: 1, out: '', err: line })
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
