import { describe, test } from 'vitest'
import { logToClosedPipe, logToFullDisk, logToStoppedTerminal, logToUnreadSocket, script } from './outputs.ts'

test(
  'a server whose log goes to an unread socket drops lines, serves requests and stops',
  {
    timeout: 60_000,
  },
  () => logToUnreadSocket(1),
)

describe('two workers that cannot write their log drop lines, serve requests and stop', { timeout: 60_000 }, () => {
  test('on a full disk', () => logToFullDisk(2))

  test('to a pipe whose reader has exited', () => logToClosedPipe(2))

  test.skipIf(!script)('to a terminal stopped with Ctrl-S', () => logToStoppedTerminal(2))
})
