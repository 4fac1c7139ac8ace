import pg from 'pg'
import { DataFolder, type Row, type Rows } from './data-folder.ts'

/** The files below `DATA_DIR`, with the database on a server. */
export class DataOnServer extends DataFolder {
  readonly #url: string

  constructor(dir: string, url: string) {
    super(dir)
    this.#url = url
  }

  override async read<T>(look: (rows: Rows) => Promise<T>): Promise<T> {
    const client = new pg.Client(this.#url)
    await client.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
      return await look(async (sql, ...values) => (await client.query<Row>(numbered(sql), values)).rows)
    } finally {
      await client.end()
    }
  }
}

/** With `$1`, `$2` for each question mark. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}
