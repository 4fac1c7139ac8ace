import { expressionBuilder } from 'kysely'
import type { FileId } from '../../core/ids.ts'
import type { Tables } from '../../storage/db/tables.ts'

/** Whether a comment has files: the id of one of them, or null. */
export interface FileColumn {
  any_file_id: FileId | null
}

/**
 * The column of {@link FileColumn}, for queries of comments. Few comments have files, so a lookup per comment costs
 * less than a separate query that finds nothing. With outdated statistics an engine may scan all files for `exists` or
 * `=`, but not for a range.
 */
export const fileColumn = expressionBuilder<Tables, 'comment'>()
  .selectFrom('file')
  .select('file.id')
  .where(({ between, ref }) => between('file.comment_id', ref('comment.id'), ref('comment.id')))
  .where('file.is_deleted', '=', 0)
  .limit(1)
  .as('any_file_id')
