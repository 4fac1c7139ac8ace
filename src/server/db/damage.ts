import { OperatorError } from '../core/operator-error.ts'

/** The database was damaged, removed or replaced while it is open. The message is one line for the operator. */
export class DatabaseDamaged extends OperatorError {
  override readonly name = 'DatabaseDamaged'
}

/**
 * Whether an open database has been found damaged. It stays so until the process restarts, also where later reads
 * succeed: only a check or a backup says what else is lost (decision 24).
 */
export class Damage {
  #found: DatabaseDamaged | undefined
  readonly #listeners: ((damaged: DatabaseDamaged) => void)[] = []

  get found(): DatabaseDamaged | undefined {
    return this.#found
  }

  /** Looks for damage that shows without a query, for a few microseconds. @returns what was found, now or before */
  look(): DatabaseDamaged | undefined {
    return this.#found
  }

  /** Only the first report counts. */
  report(damaged: DatabaseDamaged): void {
    if (this.#found) return
    this.#found = damaged
    for (const listener of this.#listeners) listener(damaged)
  }

  /** Calls the listener once, when damage is first reported. */
  onFound(listener: (damaged: DatabaseDamaged) => void): void {
    this.#listeners.push(listener)
  }
}
