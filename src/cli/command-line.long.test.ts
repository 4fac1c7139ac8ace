import { expect, test } from 'vitest'
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
