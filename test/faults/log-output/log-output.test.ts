import { test } from 'vitest'
import { logToUnreadPipe, logToUnreadSocket } from './outputs.ts'

const slow = { timeout: 60_000 }

test(
  'a server that cannot write its log to a pipe drops lines, serves requests, stops, and reports the drops once read',
  slow,
  () => logToUnreadPipe(1),
)

test(
  'two workers that cannot write their log to a socket drop lines, serve requests and stop, also after one was replaced',
  slow,
  () => logToUnreadSocket(2),
)
