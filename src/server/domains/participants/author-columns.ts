import { sql } from 'kysely'

/**
 * The full name of a row of `table`: first and last name joined by one space, without the space if either is empty.
 * Joining in the engine saves a copy of the text.
 */
export const fullName = (table: string) => {
  const [first, last] = [sql.ref(`${table}.first_name`), sql.ref(`${table}.last_name`)]
  return sql<string>`case when ${first} = '' or ${last} = '' then ${first} || ${last} else ${first} || ' ' || ${last} end`
}

/** An author as shown, including deleted participants: they remain the authors of their records. Null if unknown. */
export interface AuthorColumns {
  author_name: string | null
  author_designation: string | null
  author_photo: string | null
}

/**
 * The columns of {@link AuthorColumns}, for a query that joins the author:
 * `.leftJoin('participant as author', 'author.id', 'topic.created_by')`.
 */
export const authorColumns = [
  fullName('author').as('author_name'),
  'author.designation as author_designation',
  'author.photo as author_photo',
] as const
