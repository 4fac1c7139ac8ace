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
