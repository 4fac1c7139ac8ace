import { test } from 'vitest'
import { logToUnreadPipe } from './outputs.ts'

// Other outputs, and several workers, take as long each: see `log-output.long.test.ts`.
test(
  'a server that cannot write its log to a pipe drops lines, serves requests, stops, and reports the drops once read',
  { timeout: 60_000 },
  () => logToUnreadPipe(1),
)
