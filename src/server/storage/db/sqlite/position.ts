import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../open.ts'
import type { TranslateError } from './queries.ts'

/** A file has one epoch: a file that replaces it while it is open is not read, and ends writing (`damage.ts`). */
const epoch = 'file'

/**
 * Reads the position of the log, that of the newest committed change of any process. Callers in one turn of the event
 * loop share one read, which begins after the last of the calls, so that it includes everything committed before them.
 * A read costs a few microseconds: `data_version` changes with every commit of another connection
 * (https://www.sqlite.org/pragma.html#pragma_data_version), and only then is the log queried.
 */
export class PositionReader {
  readonly #dataVersion: () => unknown
  readonly #newestChange: () => unknown
  #version: unknown
  #position: Position = { epoch, id: 0 }
  #pending: Promise<Position> | undefined

  readonly #translateError: TranslateError

  /** @param connection must not write, because it would not see its own commits, and never be in a transaction */
  constructor(connection: DatabaseSync, translateError: TranslateError) {
    this.#translateError = translateError
    this.#dataVersion = prepareValue(connection, 'pragma data_version')
    this.#newestChange = prepareValue(connection, 'select max(id) from change')
  }

  readonly read = (): Promise<Position> => {
    this.#pending ??= new Promise((resolve, reject) => {
      // After all requests that have arrived by now have been read.
      setImmediate(() => {
        this.#pending = undefined
        try {
          resolve(this.#readNow())
        } catch (error) {
          reject(this.#translateError(error))
        }
      })
    })
    return this.#pending
  }

  #readNow(): Position {
    const version = this.#dataVersion()
    if (version !== this.#version) {
      this.#position = { epoch, id: Number(this.#newestChange() ?? 0) }
      // Last, so that a failed query is repeated.
      this.#version = version
    }
    return this.#position
  }
}

/** A prepared query for one value. */
function prepareValue(connection: DatabaseSync, text: string): () => unknown {
  const statement = connection.prepare(text)
  return () => Object.values(statement.get() ?? {})[0]
}
