import { expect, test } from 'vitest'
import { runSummit } from '../../test/command.ts'

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
