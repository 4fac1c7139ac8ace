import { describe, test } from 'vitest'
import { logToUnreadPipe, logToUnreadSocket } from './outputs.ts'

// Workers share one standard output. Their other outputs are tested in log-output.long.test.ts.
describe('two workers that cannot write their log drop lines, serve requests and stop', { timeout: 60_000 }, () => {
  test('to a pipe that is read again later, where they report the dropped lines', () => logToUnreadPipe(2))

  test('to a socket, also after a worker has been replaced', () => logToUnreadSocket(2))
})
