import { query } from '../../scratch-database.ts'
import { classNames } from './classes.ts'
import { buildObjects } from './objects.ts'

/** Inserts the data set into the tables that Parse Server has created for its classes. */
export async function loadObjects(url: string): Promise<void> {
  const objects = buildObjects()
  for (const name of classNames) {
    const rows = `select * from jsonb_populate_recordset(null::"${name}", $1)`
    await query(url, `insert into "${name}" ${rows}`, JSON.stringify(objects[name]))
  }
  await query(url, 'analyze')
}
