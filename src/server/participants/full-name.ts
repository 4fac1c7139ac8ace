import { sql } from 'kysely'

/**
 * The name of a row of `table`: first and last joined by one space; one alone stands by itself. The engine gives one text,
 * where two that are joined here would be copied once more for the answer.
 */
export const fullName = (table: string) => {
  const [first, last] = [sql.ref(`${table}.first_name`), sql.ref(`${table}.last_name`)]
  return sql<string>`case when ${first} = '' or ${last} = '' then ${first} || ${last} else ${first} || ' ' || ${last} end`
}
