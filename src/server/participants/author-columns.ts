import { fullName } from './full-name.ts'

/** What is shown of an author, deleted participants included: what they wrote stays theirs. Null where there is nobody. */
export interface AuthorColumns {
  author_name: string | null
  author_designation: string | null
  author_photo: string | null
}

/**
 * The columns of {@link AuthorColumns}, for a query that joins whoever made its records:
 * `.leftJoin('participant as author', 'author.id', 'topic.created_by')`.
 */
export const authorColumns = [
  fullName('author').as('author_name'),
  'author.designation as author_designation',
  'author.photo as author_photo',
] as const
