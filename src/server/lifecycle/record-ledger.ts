import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../context.ts'
import { scanEntries } from '../ledger/entries.ts'
import { completeLedgerFile } from '../ledger/ledger-file.ts'

const command = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

/** How long an erasure may be missing from the location of the backups. */
const everyMs = 15_000

/**
 * Completes the ledger in `DATA_DIR`, and copies what is new in it to `BACKUP_TO`, by a command in a process of its own
 * as for backups. Entries of other servers and of commands are found in the change log.
 * @returns a function that stops this
 */
export function recordLedger({ config, database }: Context, log: FastifyBaseLogger): () => Promise<void> {
  /** Entries up to this change are recorded. */
  let position = 0
  let child: ChildProcess | undefined
  let isStopped = false

  const copy = async (): Promise<void> => {
    child = spawn(process.execPath, [command, 'backup', '--ledger'], { stdio: 'ignore' })
    const [code] = await once(child, 'close')
    child = undefined
    if (code !== 0 && !isStopped) throw new Error('the ledger was not copied to BACKUP_TO')
  }
  const run = async () => {
    if (isStopped) return
    try {
      const { id: newest } = await database.position()
      const entries = newest > position ? await scanEntries(database.read, position, newest) : []
      if (entries.length > 0) {
        await completeLedgerFile(config.dataDir, entries)
        if (config.backup.to) await copy()
      }
      position = newest
    } catch (err) {
      log.error({ err }, 'the ledger of erasures and revocations was not brought up to date; will retry')
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(run)
  }, everyMs).unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    child?.kill()
    await running
  }
}
