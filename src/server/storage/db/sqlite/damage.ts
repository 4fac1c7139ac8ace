import { type Stats, statSync } from 'node:fs'
import { Damage, DatabaseDamaged } from '../damage.ts'
import { isDamaged } from './errors.ts'

/** The files of an open database: the first two have all commits, the third coordinates processes. */
const suffixes = ['', '-wal', '-shm']

const remedy = 'Stop Summit, restore a backup, and start it again (docs/operate/troubleshooting.md, “Damage”).'

/**
 * Detects corruption that SQLite reports, and database files that were removed or replaced since they were opened:
 * SQLite continues to write to a removed file, and everything it acknowledges there is lost when the process ends.
 * Files are compared by path, because opening and closing one would release SQLite's locks on it
 * (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export class SqliteDamage extends Damage {
  readonly #file: string
  #openFiles: { path: string; identity: Identity | undefined }[] = []

  constructor(file: string) {
    super()
    this.#file = file
  }

  /** Records which files are open. Call it once all connections have been opened. */
  watch(): void {
    const paths = suffixes.map((suffix) => this.#file + suffix)
    this.#openFiles = paths.map((path) => ({ path, identity: identityOf(path) }))
  }

  override check(): DatabaseDamaged | undefined {
    return this.found ?? this.#checkFiles()
  }

  #checkFiles(): DatabaseDamaged | undefined {
    for (const { path, identity } of this.#openFiles) {
      const current = identityOf(path)
      if (current?.ino === identity?.ino && current?.dev === identity?.dev) continue
      const event = current === undefined ? 'removed, moved away or made inaccessible' : 'replaced by another file'
      this.report(new DatabaseDamaged(`${path} was ${event} while Summit had it open. ${remedy}`))
      return this.found
    }
    return undefined
  }

  /**
   * Turns an error of SQLite that means corruption into a DatabaseDamaged, and reports it. Returns any other error as
   * is.
   */
  readonly translate = (error: unknown): unknown => {
    if (!isDamaged(error) || !(error instanceof Error)) return error
    const damaged = new DatabaseDamaged(`${this.#file} is damaged: ${error.message}. ${remedy}`, { cause: error })
    this.report(damaged)
    return damaged
  }
}

/** Distinguishes a file from another one with the same path. */
type Identity = Pick<Stats, 'dev' | 'ino'>

function identityOf(path: string): Identity | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // No permission, or a folder that leads nowhere: a restart would not find it either.
    return undefined
  }
}
