import type { Data } from '../../../contract/index.ts'
import { invalidField } from '../../core/failure.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import {
  addRecord,
  listRecords,
  type NewProgramRecord,
  type ProgramRecordValues,
  updateRecord,
} from '../program/records.ts'
import { recordRevision } from '../revisions/record-revision.ts'
import { getDraftConference } from './draft.ts'
import { assertSeen } from './seen.ts'

/** @throws Failure EVENT_CHANGED; VALIDATION_FAILED if it would end before it begins */
export async function updateConference(
  scope: WriteScope,
  { revision, hue, ...members }: HandlerInput<'updateConference'>,
): Promise<Data<'updateConference'>> {
  await assertSeenConference(scope, revision)
  const [stored] = await listRecords(scope.db, 'conference')
  const { first_day = '', last_day = '' } = { ...stored, ...members }
  if (first_day !== '' && last_day !== '' && last_day < first_day)
    throw invalidField('last_day', 'NOT_A_DATE', 'last_day must not be before first_day.')
  const values = { ...members, ...(hue !== undefined && { hue: hue < 0 ? null : hue }) }
  return saveConference(scope, 'updateConference', values)
}

/** @throws Failure EVENT_CHANGED */
export const assertSeenConference = (scope: Scope, revision: number): Promise<void> =>
  assertSeen(scope, 'conference', undefined, revision, () => getDraftConference(scope))

/** Changes the conference, or creates it. @param command the name of the operation */
export async function saveConference(
  scope: WriteScope,
  command: string,
  values: ProgramRecordValues<'conference'>,
): Promise<Data<'updateConference'>> {
  const [stored] = await listRecords(scope.db, 'conference')
  const write = async () => {
    if (!stored) return addRecord(scope, 'conference', values as NewProgramRecord<'conference'>)
    await updateRecord(scope, 'conference', stored.id, values)
    return stored.id
  }
  await recordRevision(scope, { kind: 'edit', command }, [{ kind: 'conference', id: stored?.id, write }])
  return getDraftConference(scope)
}
