import type { ParticipantId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db, ErasureStepKind, NewRow, Row } from '../../storage/db/tables.ts'

/** A step that is left of an erasure. */
export type ErasureStep = Row<'erasure_step'>

/** Rows per statement; each has four values. */
const batchSize = 200

/** Stores what the erasure of a participant leaves to do, in its transaction. @param keys of files without a row */
export async function insertSteps(
  db: Db,
  participant_id: ParticipantId,
  kinds: readonly Exclude<ErasureStepKind, 'file'>[],
  keys: readonly string[],
  created_at: number,
): Promise<void> {
  const steps: NewRow<'erasure_step'>[] = [
    ...kinds.map((kind) => ({ kind, participant_id, blob_key: '', created_at })),
    ...keys.map((blob_key) => ({ kind: 'file' as const, participant_id, blob_key, created_at })),
  ]
  for (let start = 0; start < steps.length; start += batchSize)
    await db
      .insertInto('erasure_step')
      .values(steps.slice(start, start + batchSize))
      .execute()
}

/** The oldest steps of these kinds after an id, of all erasures or those of one participant. */
export async function stepsAfter(
  db: Db,
  after: number,
  limit: number,
  kinds: readonly ErasureStepKind[],
  participant?: ParticipantId,
): Promise<ErasureStep[]> {
  const steps = db.selectFrom('erasure_step').selectAll().where('kind', 'in', kinds).where('id', '>', after)
  return (participant === undefined ? steps : steps.where('participant_id', '=', participant))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Marks steps as done. */
export async function deleteSteps(db: Db, ids: number[]): Promise<void> {
  await inChunks(ids, (some) => db.deleteFrom('erasure_step').where('id', 'in', some).returning('id').execute())
}

/** The number of steps that are left, of all erasures or those of one participant, besides the rebuild of the file. */
export async function countSteps(db: Db, participant: ParticipantId): Promise<number> {
  const steps = db.selectFrom('erasure_step').select(({ fn }) => fn.countAll<number>().as('steps'))
  const row = await steps.where('participant_id', '=', participant).where('kind', '<>', 'rebuild').executeTakeFirst()
  return Number(row?.steps ?? 0)
}
