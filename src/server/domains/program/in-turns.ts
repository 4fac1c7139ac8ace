import { setImmediate } from 'node:timers/promises'

/** Some milliseconds of work. */
const eventsPerTurn = 25

/** Converts events one after the other. All of a program take a tenth of a second or two, so others are served in between. */
export async function inTurns<E, R>(events: readonly E[], convert: (event: E) => R): Promise<R[]> {
  const converted: R[] = []
  for (const event of events) {
    if (converted.length % eventsPerTurn === eventsPerTurn - 1) await setImmediate()
    converted.push(convert(event))
  }
  return converted
}

/** Some milliseconds, after which others are served. */
const turnMs = 15

/** Creates a function to await in a loop of much work: once its turn is over, it lets others be served. */
export function createPause(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < turnMs) return
    await setImmediate()
    startedAt = performance.now()
  }
}
