import { setTimeout as sleep } from 'node:timers/promises'

/** More often, requests to a server that is starting would slow its start. */
const intervalMs = 10

/** Polls a condition. @returns how long it took, in milliseconds @throws Error at the deadline */
export async function waitUntil(
  condition: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<number> {
  const started = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - started > withinMs) throw new Error(`not within ${withinMs} ms: ${condition}`)
    await sleep(intervalMs)
  }
  return performance.now() - started
}
