import { setImmediate } from 'node:timers/promises'

/** Some milliseconds of work: the texts of 25 events. */
const perTurn = 25

/** Converts records one after the other. All events of a program take a tenth of a second or two, so others are served in between. */
export async function inTurns<T, R>(records: readonly T[], convert: (record: T) => R): Promise<R[]> {
  const converted: R[] = []
  for (const record of records) {
    if (converted.length % perTurn === perTurn - 1) await setImmediate()
    converted.push(convert(record))
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
