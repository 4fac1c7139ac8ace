import type { Author } from '../../contract/records.ts'
import type { ParticipantId } from '../ids.ts'
import type { Scope } from '../scope.ts'
import { findNames } from './store.ts'

/** Who stands behind an id that names no participant (decisions, "Topics and comments"). */
const unknown: Author = { id: null, name: ' ', designation: null, photoUrl: null }

/**
 * Looks up the authors of some records at once.
 * @param ids with or without repetitions; ids of nobody are fine
 * @returns the Author record for each of these ids
 */
export async function authorsOf(
  { db, links }: Scope,
  ids: Iterable<ParticipantId>,
): Promise<(id: ParticipantId) => Author> {
  const authors = new Map<ParticipantId, Author>()
  for (const row of await findNames(db, ids))
    authors.set(row.id, {
      id: String(row.id),
      name: fullName(row),
      designation: row.designation,
      photoUrl: links.photo(row.photo),
    })
  return (id) => authors.get(id) ?? unknown
}

/** First and last name joined by one space; one alone stands by itself. */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  first_name === '' || last_name === '' ? first_name + last_name : `${first_name} ${last_name}`
