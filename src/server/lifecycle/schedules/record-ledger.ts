import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { scanEntries } from '../../log/ledger/entries.ts'
import { completeLedgerFile } from '../../log/ledger/ledger-file.ts'

const command = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))

/** How long an entry of another process may be missing from the ledger in `DATA_DIR`. */
const everyMs = 5_000

/** How long it may then be missing from the location of the backups. */
const copiedEveryMs = 15_000

/**
 * Completes the ledger in `DATA_DIR`, at once and every few seconds, and copies what is new in it to `BACKUP_TO`, by a
 * command in a process of its own as for backups. Entries of other servers, of commands and of processes that were killed
 * are found in the change log.
 * @returns a function that stops this
 */
export function recordLedger({ config, database }: Context, log: FastifyBaseLogger): () => Promise<void> {
  /** The file has the entries up to this change, and the location those up to the other. */
  let recorded = 0
  let copied = 0
  /** A start has more urgent work than the copy. */
  let copiedAt = performance.now()
  let child: ChildProcess | undefined
  let isStopped = false

  const copy = async (): Promise<void> => {
    child = spawn(process.execPath, [command, 'backup', '--ledger'], { stdio: 'ignore' })
    const [code] = await once(child, 'close')
    child = undefined
    if (code !== 0 && !isStopped) throw new Error('the ledger was not copied to BACKUP_TO')
  }
  const complete = async (newest: number) => {
    if (newest <= recorded) return
    await completeLedgerFile(config.dataDir, await scanEntries(database.read, recorded, newest))
    recorded = newest
  }
  const copyNew = async (newest: number) => {
    if (!config.backup.to || newest <= copied || performance.now() - copiedAt < copiedEveryMs) return
    copiedAt = performance.now()
    if ((await scanEntries(database.read, copied, newest)).length > 0) await copy()
    copied = newest
  }
  const run = async () => {
    // The location can be brought up to date also while the file cannot.
    for (const work of [complete, copyNew])
      if (!isStopped)
        await database
          .position()
          .then(({ id }) => work(id))
          .catch((err: unknown) =>
            log.error({ err }, 'the ledger of erasures and revocations was not brought up to date; will retry'),
          )
  }
  let running = run()
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
