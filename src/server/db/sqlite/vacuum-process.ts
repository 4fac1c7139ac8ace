import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { commandName } from '../../core/command-name.ts'
import { isDamaged } from './errors.ts'

// A process of its own: `vacuum into` occupies its thread until the whole file is written.

/** How long to wait for a server that is opening or closing the file. */
const busyTimeoutMs = 5_000

const [source = '', target = ''] = process.argv.slice(2)
try {
  // If no other process has the file open, a read-only connection would leave an empty log behind.
  const connection = new DatabaseSync(source, { readOnly: existsSync(`${source}-wal`), timeout: busyTimeoutMs })
  connection.prepare('vacuum into ?').run(target)
  connection.close()
} catch (error) {
  const hint = isDamaged(error) ? `. To list the damage: ${commandName} check` : '.'
  console.error((error instanceof Error ? error.message : error) + hint)
  process.exitCode = 1
}
