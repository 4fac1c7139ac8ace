import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { commandName } from '../../../core/command-name.ts'
import { messageOf } from '../../../core/errors.ts'
import { isDamaged } from './errors.ts'

// A thread of its own, because `vacuum into` occupies it until the whole file is written. Unlike a process, it ends
// when the command is killed.

/** How long to wait for a server that is opening or closing the file. */
const busyTimeoutMs = 5_000

const { source, target } = workerData as { source: string; target: string }
try {
  // If no other process has the file open, a read-only connection would leave an empty log behind.
  using connection = new DatabaseSync(source, { readOnly: existsSync(`${source}-wal`), timeout: busyTimeoutMs })
  connection.prepare('vacuum into ?').run(target)
} catch (error) {
  const hint = isDamaged(error) ? `. To list the damage: ${commandName} check` : '.'
  throw new Error(messageOf(error) + hint, { cause: error })
}
