import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { type EventId, noParticipant, type SpeakerId } from '../../core/ids.ts'
import { eraseResponsesWith } from '../../log/idempotency/erase.ts'
import type { RequestScope, WriteScope } from '../../scope.ts'
import { eraseSpeakerFromProgram } from '../program/erase-speaker.ts'
import { eventPlaceholder, speakerPlaceholder } from '../program/pictures.ts'
import { removePlaceholders } from '../program/placeholder-cache.ts'
import { eraseSpeakerFromStates } from '../revisions/erase-speaker.ts'
import { finishSoon } from './finish-erasures.ts'
import { insertSteps } from './steps-store.ts'

/**
 * Deletes a speaker for good: from events, drafts, former states and stored responses. What others have written about them,
 * such as the description of an event, stays.
 * @returns the keys of files that may have no row any more, and the events that were theirs
 */
export async function forgetSpeaker(scope: WriteScope, id: SpeakerId): Promise<{ keys: string[]; events: EventId[] }> {
  const { keys, events } = await eraseSpeakerFromProgram(scope, id)
  const former = await eraseSpeakerFromStates(scope.db, id)
  await eraseResponsesWith(scope.db, `{"speaker":{"id":"${id}",`)
  // Those of imports of images, which have names of speakers and of files.
  await eraseResponsesWith(scope.db, '{"images":[')
  return { keys: [...keys, ...former], events }
}

/** Deletes a speaker for good, with their photos and the images that were drawn with their name. */
export async function eraseSpeaker(scope: RequestScope, ctx: Context, id: SpeakerId): Promise<void> {
  const { keys, events } = await forgetSpeaker(scope, id)
  await insertSteps(scope.db, noParticipant, ['rebuild'], keys, scope.now)
  scope.afterCommit(async () => {
    const drawn = [speakerPlaceholder(id), ...events.map((event) => eventPlaceholder(event, 'photo'))]
    await removePlaceholders(join(ctx.config.dataDir, 'placeholders'), drawn)
    await finishSoon(ctx, noParticipant)
  })
}
