import type { Author } from '../../contract/records.ts'
import type { ParticipantId } from '../core/ids.ts'
import type { Scope } from '../scope.ts'
import type { AuthorColumns } from './author-columns.ts'
import { findAuthor, findAuthors } from './store.ts'

/** Who stands behind an id that names no participant (decisions, "Topics and comments"). */
const unknown: Author = { id: null, name: ' ', designation: null, photoUrl: null }

/** The author with this id, from what was read along with the record that he or she made. */
export function toAuthor(
  { links }: Scope,
  id: ParticipantId,
  { author_name: name, author_designation: designation, author_photo: photo }: AuthorColumns,
): Author {
  if (name === null || designation === null || photo === null) return unknown
  return { id: String(id), name, designation, photoUrl: links.photo(photo) }
}

/** Looks up the author of a record that has just been made. Others come with their records, see {@link toAuthor}. */
export async function authorOf(scope: Scope, id: ParticipantId): Promise<Author> {
  const [row] = await findAuthor(scope.db, id)
  return row ? toAuthor(scope, id, row) : unknown
}

/**
 * Looks up authors by their ids: of the likes of a page of topics, which are short, and the same few people's over and over.
 * @param ids with or without repetitions; ids of nobody are fine
 * @returns the Author record for each of these ids
 */
export async function authorsOf(scope: Scope, ids: ParticipantId[]): Promise<(id: ParticipantId) => Author> {
  const authors = new Map<ParticipantId, Author>()
  for (const row of await findAuthors(scope.db, ids)) authors.set(row.id, toAuthor(scope, row.id, row))
  return (id) => authors.get(id) ?? unknown
}
