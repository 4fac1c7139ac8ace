import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { commandName } from '../../core/command-name.ts'
import { recordHead } from '../../log/audit/head-file.ts'
import type { Witness } from '../../log/audit/verify-chain.ts'

/** How many of the newest changes can be removed without a trace is bounded by this time, and by the backups. */
const everyMs = 60_000

/**
 * Records the head of the change log in `DATA_DIR`, now, every minute and at the end.
 * @returns a function that stops this
 */
export async function recordHeads(ctx: Context, log: FastifyBaseLogger): Promise<() => Promise<void>> {
  let last: Witness | undefined
  const record = async () => {
    try {
      const recorded = await recordHead(ctx, last)
      if (recorded) last = recorded
      else
        log.error(
          `audit-head was removed or emptied, or the change log lacks changes that were recorded: run ${commandName} audit verify`,
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
