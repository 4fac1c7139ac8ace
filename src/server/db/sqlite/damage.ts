import { type Stats, statSync } from 'node:fs'
import { Damage, DatabaseDamaged } from '../damage.ts'
import { isDamaged } from './errors.ts'

/** The files of an open database: what is committed is in the first two, and processes agree on it by the third. */
const suffixes = ['', '-wal', '-shm']

const remedy = 'Stop Summit, restore a backup, and start it again (docs/operate.md, “Damage”).'

/**
 * Notices what SQLite reports as corruption, and that a file of the database is no longer the one that was opened:
 * SQLite goes on writing to a file that has been removed, and all that it acknowledges is gone with the process.
 * Files are compared by path. Opening one to ask would release SQLite's locks when it is closed
 * (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export class SqliteDamage extends Damage {
  readonly #file: string
  #opened: { path: string; identity: Identity | undefined }[] = []

  constructor(file: string) {
    super()
    this.#file = file
  }

  /** Remembers which files are open. To be called once all connections have been opened. */
  watch(): void {
    const paths = suffixes.map((suffix) => this.#file + suffix)
    this.#opened = paths.map((path) => ({ path, identity: identityOf(path) }))
  }

  override look(): DatabaseDamaged | undefined {
    return this.found ?? this.#lookAtFiles()
  }

  #lookAtFiles(): DatabaseDamaged | undefined {
    for (const { path, identity } of this.#opened) {
      const now = identityOf(path)
      if (now?.ino === identity?.ino && now?.dev === identity?.dev) continue
      const what = now === undefined ? 'removed, moved away or made inaccessible' : 'replaced by another file'
      this.report(new DatabaseDamaged(`${path} was ${what} while Summit had it open. ${remedy}`))
      return this.found
    }
    return undefined
  }

  /** @returns for an error by which SQLite reports corruption a DatabaseDamaged, which is reported; any other as it is */
  readonly of = (error: unknown): unknown => {
    if (!isDamaged(error) || !(error instanceof Error)) return error
    const damaged = new DatabaseDamaged(`${this.#file} is damaged: ${error.message}. ${remedy}`, { cause: error })
    this.report(damaged)
    return damaged
  }
}

/** Tells one file from another under the same path. */
type Identity = Pick<Stats, 'dev' | 'ino'>

function identityOf(path: string): Identity | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // No permission, or a folder that leads nowhere: a restart would not find it either.
    return undefined
  }
}
