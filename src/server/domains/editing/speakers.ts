import type { Data } from '../../../contract/index.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../core/failure.ts'
import type { SpeakerId } from '../../core/ids.ts'
import { assertCanAppend } from '../../log/ledger/ledger-file.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PreparationScope, RequestScope, Scope } from '../../scope.ts'
import { eraseSpeaker } from '../privacy/erase-speaker.ts'
import { sanitizeHtml } from '../program/html.ts'
import { addRecord, type ProgramRecordValues, updateRecord } from '../program/records.ts'
import { recordRevision } from '../revisions/record-revision.ts'
import { getDraftSpeaker } from './draft.ts'
import { assertSeen } from './seen.ts'

/** Sanitizing may be slow, so it is done before the transaction. */
export async function prepareNewSpeaker(
  _: PreparationScope,
  { name, ...members }: HandlerInput<'createSpeaker'>,
): Promise<(scope: RequestScope) => Promise<Data<'createSpeaker'>>> {
  const values = toValues(members)
  return async (scope) => {
    let id = 0 as SpeakerId
    const write = async () => {
      id = (await addRecord(scope, 'speaker', { ...values, name })) as SpeakerId
      return id
    }
    await recordRevision(scope, { kind: 'edit', command: 'createSpeaker' }, [{ kind: 'speaker', id: undefined, write }])
    return getDraftSpeaker(scope, id)
  }
}

/** Sanitizing may be slow, so it is done before the transaction. @throws Failure SPEAKER_NOT_FOUND, EVENT_CHANGED */
export async function prepareSpeaker(
  _: PreparationScope,
  { id, revision, name, ...members }: HandlerInput<'updateSpeaker'>,
): Promise<(scope: RequestScope) => Promise<Data<'updateSpeaker'>>> {
  const values = { ...toValues(members), ...(name !== undefined && { name }) }
  return async (scope) => {
    await assertSeenSpeaker(scope, id, revision)
    return saveSpeaker(scope, 'updateSpeaker', id, values)
  }
}

/** @throws Failure SPEAKER_NOT_FOUND, EVENT_CHANGED */
export async function assertSeenSpeaker(scope: Scope, id: SpeakerId, revision: number): Promise<void> {
  const speaker = await getDraftSpeaker(scope, id)
  await assertSeen(scope, 'speaker', [id], revision, async () => speaker)
}

/** @param command the name of the operation */
export async function saveSpeaker(
  scope: RequestScope,
  command: string,
  id: SpeakerId,
  values: ProgramRecordValues<'speaker'>,
): Promise<Data<'updateSpeaker'>> {
  const write = async () => {
    await updateRecord(scope, 'speaker', id, values)
    return id
  }
  await recordRevision(scope, { kind: 'edit', command }, [{ kind: 'speaker', id, write }])
  return getDraftSpeaker(scope, id)
}

/** @throws Failure SPEAKER_NOT_FOUND, EVENT_CHANGED; UNAVAILABLE if the ledger cannot be written */
export async function prepareSpeakerErasure(
  preparation: PreparationScope,
  ctx: Context,
  { id, revision }: HandlerInput<'deleteSpeaker'>,
): Promise<(scope: RequestScope) => Promise<Data<'deleteSpeaker'>>> {
  await assertSeenSpeaker(preparation, id, revision)
  // Nobody is erased whom a restored backup would bring back.
  await assertCanAppend(ctx.config.dataDir).catch((cause: unknown) => {
    throw new Failure('UNAVAILABLE', { cause })
  })
  return async (scope) => {
    await assertSeenSpeaker(scope, id, revision)
    await eraseSpeaker(scope, ctx, id)
    return {}
  }
}

/** The values of columns. */
function toValues(members: Partial<Omit<HandlerInput<'createSpeaker'>, 'name'>>): ProgramRecordValues<'speaker'> {
  const { biography, links, ...texts } = members
  return {
    ...texts,
    ...(biography !== undefined && { biography: sanitizeHtml(biography) }),
    ...(links && { links: JSON.stringify(links) }),
  }
}
