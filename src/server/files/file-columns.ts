import { expressionBuilder } from 'kysely'
import type { FileId } from '../core/ids.ts'
import type { Tables } from '../db/tables.ts'

/** Whether a comment has files: the id of one of them, null where it has none. */
export interface FileColumn {
  a_file: FileId | null
}

/**
 * The column of {@link FileColumn}, for a query of comments: few have files, and a look along with each of them takes less
 * than a query that finds nothing. An engine that plans by what it has counted may read all files for `exists`, and for
 * `=` once they have become many since it counted; not for a range.
 */
export const fileColumn = expressionBuilder<Tables, 'comment'>()
  .selectFrom('file')
  .select('file.id')
  .where(({ between, ref }) => between('file.comment_id', ref('comment.id'), ref('comment.id')))
  .where('file.is_deleted', '=', 0)
  .limit(1)
  .as('a_file')
