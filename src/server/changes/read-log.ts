import { prepared } from '../db/prepared.ts'
import { type Db, emptyLog, type LogHead, type Row } from '../db/tables.ts'

const selectAfter = prepared((db, position: number, limit: number) =>
  db
    .selectFrom('change')
    .select(['id', 'kind', 'record_id', 'parent_id'])
    .where('id', '>', position)
    .orderBy('id')
    .limit(limit),
)

/** The first `limit` changes after a position of the log, oldest first. */
export const changesAfter = (
  db: Db,
  position: number,
  limit: number,
): Promise<Pick<Row<'change'>, 'id' | 'kind' | 'record_id' | 'parent_id'>[]> => selectAfter(db, position, limit)

const batchSize = 1_000

/** Reads the whole log in batches, oldest first, without the rows of {@link countImpossibleIds}. */
export async function* readChanges(db: Db): AsyncGenerator<Row<'change'>[]> {
  for (let after: number = emptyLog.id; ; ) {
    const next = db.selectFrom('change').selectAll().where('id', '>', after).orderBy('id').limit(batchSize)
    const changes = await next.execute()
    const last = changes.at(-1)
    if (!last) return
    yield changes
    after = last.id
  }
}

export const hasChange = async (db: Db, { id, hash }: LogHead): Promise<boolean> =>
  (await db.selectFrom('change').select('id').where('id', '=', id).where('hash', '=', hash).executeTakeFirst()) !==
  undefined

/** Finds the restores of backups, each with the change before it, if any. Reads the whole log. */
export async function findRestores(db: Db): Promise<{ restore: Row<'change'>; before: Row<'change'> | undefined }[]> {
  const changes = db.selectFrom('change').selectAll()
  const restores = await changes.where('kind', '=', 'summit.restored').execute()
  return Promise.all(
    restores.map(async (restore) => ({
      restore,
      before: await changes.where('id', '=', restore.id - 1).executeTakeFirst(),
    })),
  )
}

const selectCount = (db: Db) => db.selectFrom('change').select((eb) => eb.fn.countAll<number>().as('changes'))

export const countChanges = async (db: Db): Promise<number> =>
  Number((await selectCount(db).executeTakeFirstOrThrow()).changes)

/** Counts the changes whose ids are below that of the first change of any log: somebody else inserted them. */
export const countImpossibleIds = async (db: Db): Promise<number> =>
  Number((await selectCount(db).where('id', '<=', emptyLog.id).executeTakeFirstOrThrow()).changes)
