import { sql } from 'kysely'

/**
 * The full name of a row of `table`: first and last name joined by one space, without the space if either is empty.
 * Joining in the engine saves a copy of the text.
 */
export const fullName = (table: string) => {
  const [first, last] = [sql.ref(`${table}.first_name`), sql.ref(`${table}.last_name`)]
  return sql<string>`case when ${first} = '' or ${last} = '' then ${first} || ${last} else ${first} || ' ' || ${last} end`
}
