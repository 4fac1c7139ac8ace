import { query } from '../../own-database.ts'
import { classNames } from './classes.ts'
import { objects } from './objects.ts'

/** Puts the data set into the tables that Parse Server has made for its classes. */
export async function fill(url: string): Promise<void> {
  const all = objects()
  for (const name of classNames) {
    const rows = `select * from jsonb_populate_recordset(null::"${name}", $1)`
    await query(url, `insert into "${name}" ${rows}`, JSON.stringify(all[name]))
  }
  await query(url, 'analyze')
}
