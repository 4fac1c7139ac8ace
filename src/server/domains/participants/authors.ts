import type { Author } from '../../../contract/records.ts'
import type { ParticipantId } from '../../core/ids.ts'
import type { Scope } from '../../scope.ts'
import type { AuthorColumns } from './author-columns.ts'
import { findAuthor, findAuthors } from './store.ts'

/** The author for an id without a participant. */
const unknownAuthor: Author = { id: null, name: ' ', designation: null, photoUrl: null }

/** Builds the author with this id from columns that were read with the record. */
export function toAuthor(
  { links }: Scope,
  id: ParticipantId,
  { author_name: name, author_designation: designation, author_photo: photo }: AuthorColumns,
): Author {
  if (name === null || designation === null || photo === null) return unknownAuthor
  return { id: String(id), name, designation, photoUrl: links.photo(photo) }
}

/** Loads the author of a new record. The columns of other authors are read with their records, see {@link toAuthor}. */
export async function loadAuthor(scope: Scope, id: ParticipantId): Promise<Author> {
  const [row] = await findAuthor(scope.db, id)
  return row ? toAuthor(scope, id, row) : unknownAuthor
}

/**
 * Loads authors by id, for the likes of a page of topics: many likes come from the same few people.
 * @param ids may repeat, and may include unknown ids
 * @returns a lookup of the author for each of these ids
 */
export async function loadAuthors(scope: Scope, ids: ParticipantId[]): Promise<(id: ParticipantId) => Author> {
  const authors = new Map<ParticipantId, Author>()
  for (const row of await findAuthors(scope.db, ids)) authors.set(row.id, toAuthor(scope, row.id, row))
  return (id) => authors.get(id) ?? unknownAuthor
}
