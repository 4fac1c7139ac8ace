import { fullName } from './full-name.ts'

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
