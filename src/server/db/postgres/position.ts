import type { Db } from '../tables.ts'

/** The position of the newest committed change; 0 when there is none. */
export async function newestPosition(read: Db): Promise<number> {
  const newest = await read
    .selectFrom('change')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return newest?.id ?? 0
}
