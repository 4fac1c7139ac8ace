import { setTimeout as sleep } from 'node:timers/promises'

/** More often, requests to a server that is starting would slow its start. */
const intervalMs = 10

/** The most that counts of the time between two polls: in the rest this process did not run, nor perhaps did others. */
const maxCountedMs = 100

/**
 * Polls a condition.
 * @param withinMs in which the product promises it; by default only a safety net
 * @returns how long it took, in milliseconds
 * @throws Error at the deadline
 */
export async function waitUntil(
  condition: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<number> {
  const started = performance.now()
  for (let [waited, last] = [0, started]; !(await isTrue()); await sleep(intervalMs)) {
    const now = performance.now()
    waited += Math.min(now - last, maxCountedMs)
    last = now
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${condition}`)
  }
  return performance.now() - started
}
