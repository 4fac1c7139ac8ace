import type { FastifyBaseLogger } from 'fastify'
import { recordHead } from '../audit/head-file.ts'
import type { Context } from '../context.ts'
import { commandName } from '../core/command-name.ts'

/** How many of the newest changes can be removed without a trace is bounded by this time, and by the backups. */
const everyMs = 60_000

/**
 * Records the head of the change log in `DATA_DIR`, now, every minute and at the end.
 * @returns a function that stops this
 */
export async function recordHeads(
  { database, config, clock }: Context,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  const record = async () => {
    try {
      if (!(await recordHead(database.read, config.dataDir, clock())))
        log.error(
          `audit-head was emptied, or the change log lacks changes that it recorded: run ${commandName} audit verify`,
        )
    } catch (err) {
      log.warn({ err }, 'the head of the change log was not recorded')
    }
  }
  await record()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(record)
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
    await record()
  }
}
