import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again. @returns after how many milliseconds it came true @throws when it does not in time */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<number> {
  const started = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - started > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(2)
  }
  return performance.now() - started
}
