import { type ExpressionBuilder, sql } from 'kysely'
import { formatCount } from '../../core/format-count.ts'
import { prepared } from '../../storage/db/prepared.ts'
import { type Db, emptyLog, type Row, type Tables } from '../../storage/db/tables.ts'

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

/** The columns with numbers. */
const numbers = ['id', 'at', 'record_id', 'parent_id', 'actor_id', 'credential_id'] as const

/** No clock shows a later time. */
const maxTime = Date.UTC(9999, 11, 31)

/**
 * Whether a server can have written the numbers of a change. Reading greater ones fails, as JavaScript has no such
 * integers, and so does formatting a time beyond the year 275760.
 */
export const isPossible = ({ between, and }: ExpressionBuilder<Tables, 'change'>) =>
  and(
    numbers.map((column) => {
      const max = column === 'at' ? maxTime : Number.MAX_SAFE_INTEGER
      const min = column === 'id' ? emptyLog.id + 1 : -max
      return between(`change.${column}`, sql.lit(min), sql.lit(max))
    }),
  )

/** Reads the whole log in batches, oldest first, without the rows of {@link countImpossible}. */
export async function* readChanges(db: Db): AsyncGenerator<Row<'change'>[]> {
  for (let after: number = emptyLog.id; ; ) {
    const next = db.selectFrom('change').selectAll().where('id', '>', after).where(isPossible)
    const changes = await next.orderBy('id').limit(batchSize).execute()
    const last = changes.at(-1)
    if (!last) return
    yield changes
    after = last.id
  }
}

/** The hash of the newest change, also if that is not possible; '' if it is not sealed, or there is none. */
export const readNewestHash = async (db: Db): Promise<string> =>
  (await db.selectFrom('change').select('hash').orderBy('id', 'desc').limit(1).executeTakeFirst())?.hash ?? ''

const selectCount = (db: Db) => db.selectFrom('change').select((eb) => eb.fn.countAll<number>().as('changes'))

export const countChanges = async (db: Db): Promise<number> =>
  Number((await selectCount(db).executeTakeFirstOrThrow()).changes)

/** Counts the changes that are not possible. */
export const countImpossible = async (db: Db): Promise<number> =>
  Number(
    (
      await selectCount(db)
        .where((eb) => eb.not(isPossible(eb)))
        .executeTakeFirstOrThrow()
    ).changes,
  )

/** How these are described to the operator. */
export const describeImpossible = (count: number): string =>
  `${formatCount(count, 'change')} with an id below 1 or another value that no server writes`
