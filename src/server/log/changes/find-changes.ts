import { type ChangeKind, changeKinds } from '../../../contract/changes.ts'
import type { OrganizerId, ParticipantId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import type { Db } from '../../storage/db/tables.ts'
import { isPossible } from './read-log.ts'

/** Changes to list: those that match all given conditions. */
export interface ChangeFilter {
  kinds?: readonly ChangeKind[] | undefined
  record?: number | undefined
  /** The participant in whose name the change was made. */
  actor?: ParticipantId | undefined
  /** The organizer with whose credential the change was made. */
  organizer?: OrganizerId | undefined
  credential?: number | undefined
  /** The earliest time, in milliseconds since 1970. */
  since?: number | undefined
  /** The time before which the change was made, in milliseconds since 1970. */
  before?: number | undefined
}

/** The changes that match, newest first. */
function selectMatching(db: Db, { kinds, record, actor, organizer, credential, since, before }: ChangeFilter) {
  let matching = db
    .selectFrom('change')
    .leftJoin('credential', 'credential.id', 'change.credential_id')
    .select(['change.id', 'change.at', 'change.kind', 'change.record_id', 'change.parent_id', 'change.actor_id'])
    .select(['change.credential_id', 'credential.organizer_id', 'change.request_id'])
    .orderBy('change.id', 'desc')
  if (kinds) matching = matching.where('change.kind', 'in', kinds)
  if (record !== undefined) matching = matching.where('change.record_id', '=', record)
  if (actor !== undefined) matching = matching.where('change.actor_id', '=', actor)
  if (organizer !== undefined) matching = matching.where('credential.organizer_id', '=', organizer)
  if (credential !== undefined) matching = matching.where('change.credential_id', '=', credential)
  if (since !== undefined) matching = matching.where('change.at', '>=', since)
  if (before !== undefined) matching = matching.where('change.at', '<', before)
  return matching
}

/** A change, with the organizer to whom its credential belongs. */
export type FoundChange = Awaited<ReturnType<typeof findChanges>>[number]

/** A page of the changes that match, newest first. */
export const findChanges = (db: Db, filter: ChangeFilter, { offset, limit }: PageParams) =>
  selectMatching(db, filter).limit(limit).offset(offset).execute()

/** Whether any change that matches was made after the one of an id. */
export const hasMatchingAfter = async (db: Db, id: number, filter: ChangeFilter): Promise<boolean> =>
  (await selectMatching(db, filter).where('change.id', '>', id).limit(1).execute()).length > 0

/** How many changes were made with each credential that made any, by its id. Reads the whole log. */
export async function countChangesByCredential(db: Db): Promise<Map<number, number>> {
  const counts = await db
    .selectFrom('change')
    .select(({ fn }) => ['credential_id', fn.countAll<number>().as('changes')])
    .where('credential_id', '!=', 0)
    .groupBy('credential_id')
    .execute()
  return new Map(counts.map(({ credential_id, changes }) => [credential_id, Number(changes)]))
}

const batchSize = 1_000

/** Reads all changes that match, in batches, newest first, without those that are not possible. */
export async function* readMatchingChanges(db: Db, filter: ChangeFilter): AsyncGenerator<FoundChange[]> {
  const matching = selectMatching(db, filter).where(isPossible).limit(batchSize)
  for (let end: number | undefined; ; ) {
    const changes = await (end === undefined ? matching : matching.where('change.id', '<', end)).execute()
    const last = changes.at(-1)
    if (!last) return
    yield changes
    end = last.id
  }
}

/** @param text a kind such as `credential.revoked`, or `credential` for all of a record @returns [] if there is none */
export const findKinds = (text: string): ChangeKind[] =>
  changeKinds.filter((kind) => kind === text || kind.startsWith(`${text}.`))
