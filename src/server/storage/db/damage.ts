import { OperatorError } from '../../core/errors.ts'

/** The database was damaged, removed or replaced while open. The message is one line for the operator. */
export class DatabaseDamaged extends OperatorError {
  override readonly name = 'DatabaseDamaged'
}

/**
 * Whether damage to an open database has been found. Once found, it stays so until the process restarts, even if later
 * reads succeed: only a check or a backup can tell what else is lost (decision 24).
 */
export class Damage {
  /** Set by {@link report}. */
  found: DatabaseDamaged | undefined
  readonly #listeners: ((damaged: DatabaseDamaged) => void)[] = []

  /**
   * Checks for damage that can be detected without a query, in a few microseconds.
   * @returns damage found now or before
   */
  check(): DatabaseDamaged | undefined {
    return this.found
  }

  /** Only the first report counts. */
  report(damaged: DatabaseDamaged): void {
    if (this.found) return
    this.found = damaged
    for (const listener of this.#listeners) listener(damaged)
  }

  /** Calls the listener once, when damage is first reported. */
  onFound(listener: (damaged: DatabaseDamaged) => void): void {
    this.#listeners.push(listener)
  }
}
