import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../context.ts'
import { newestEntry } from '../ledger/entries.ts'
import { completeLedgerFile } from '../ledger/ledger-file.ts'

const command = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

/** How long an erasure may be missing from the location of the backups. */
const everyMs = 15_000

/**
 * Completes the ledger in `DATA_DIR`, and copies what is new in it to `BACKUP_TO`, by a command in a process of its own as
 * for backups. Entries of other servers and of commands are found in the change log.
 * @returns a function that stops this
 */
export function recordLedger({ config, database }: Context, log: FastifyBaseLogger): () => Promise<void> {
  let copied = 0
  let child: ChildProcess | undefined

  const copy = async (): Promise<boolean> => {
    child = spawn(process.execPath, [command, 'backup', '--ledger'], { stdio: 'ignore' })
    const [code] = await once(child, 'close')
    child = undefined
    return code === 0
  }
  const run = async () => {
    try {
      const newest = await newestEntry(database.read, copied)
      if (newest === undefined) return
      await completeLedgerFile(database.read, config.dataDir)
      if (config.backup.to && !(await copy())) log.error('the ledger was not copied to BACKUP_TO; will retry')
      else copied = newest
    } catch (err) {
      log.error({ err }, 'the ledger of erasures and revocations was not brought up to date; will retry')
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(run)
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    child?.kill()
    await running
  }
}
