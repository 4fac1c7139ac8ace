import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { readHead } from '../../log/changes/log.ts'

const everyMs = 60_000

/**
 * Logs the head of the change log, now and every minute if it has changed. Where the log output is stored on another
 * machine, this shows changes that were removed at the end since.
 * @returns a function that stops this
 */
export async function logHeads(
  { database }: Pick<Context, 'database'>,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  /** A log without hashes proves nothing. */
  let logged = ''
  const run = async () => {
    try {
      const { id, hash } = await readHead(database.read)
      if (hash !== logged) log.info({ change: id, hash }, 'head of the change log')
      logged = hash
    } catch (err) {
      log.warn({ err }, 'the head of the change log could not be read')
    }
  }
  await run()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(run)
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
