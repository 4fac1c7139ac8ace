import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../open.ts'

/** There is one only: another file in the place of one that is open is not read, and ends writing (`damage.ts`). */
const history = 'of the file'

/**
 * Tells the log's position, that of the newest committed change, whichever process wrote it. Those who ask in one
 * turn of the event loop share one look, which begins after the last of them asked, so that none is told of less than
 * was committed when it asked. A look costs some microseconds: `data_version` changes with every commit of another
 * connection (https://www.sqlite.org/pragma.html#pragma_data_version), and only then is the log asked.
 */
export class PositionLook {
  readonly #dataVersion: () => unknown
  readonly #newestChange: () => unknown
  #version: unknown
  #position: Position = { history, id: 0 }
  #look: Promise<Position> | undefined

  readonly #asThrown: (error: unknown) => unknown

  /**
   * @param connection writes nothing, as it would not see its own commits, and is never in a transaction
   * @param asThrown see {@link SqliteDamage.of}
   */
  constructor(connection: DatabaseSync, asThrown: (error: unknown) => unknown) {
    this.#asThrown = asThrown
    this.#dataVersion = value(connection, 'pragma data_version')
    this.#newestChange = value(connection, 'select max(id) from change')
  }

  now(): Promise<Position> {
    this.#look ??= new Promise((resolve, reject) => {
      // After the requests that have arrived by now are all read.
      setImmediate(() => {
        this.#look = undefined
        try {
          resolve(this.#lookNow())
        } catch (error) {
          reject(this.#asThrown(error))
        }
      })
    })
    return this.#look
  }

  #lookNow(): Position {
    const version = this.#dataVersion()
    if (version !== this.#version) {
      this.#position = { history, id: Number(this.#newestChange() ?? 0) }
      // Last, so that a look that failed is made again.
      this.#version = version
    }
    return this.#position
  }
}

/** A prepared query for one value. */
function value(connection: DatabaseSync, text: string): () => unknown {
  const statement = connection.prepare(text)
  return () => Object.values(statement.get() ?? {})[0]
}
