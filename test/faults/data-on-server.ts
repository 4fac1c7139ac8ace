import pg from 'pg'
import { DataFolder, type Query, type Row } from './data-folder.ts'

/** A data folder whose database is PostgreSQL. */
export class DataOnServer extends DataFolder {
  readonly #url: string

  constructor(dir: string, url: string) {
    super(dir)
    this.#url = url
  }

  override async read<T>(run: (query: Query) => Promise<T>): Promise<T> {
    const client = new pg.Client(this.#url)
    await client.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
      return await run(async (sql, ...values) => (await client.query<Row>(numberPlaceholders(sql), values)).rows)
    } finally {
      await client.end()
    }
  }

  override async execute(sql: string): Promise<void> {
    const client = new pg.Client(this.#url)
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
}

/** Replaces question marks by `$1`, `$2`. */
function numberPlaceholders(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}
