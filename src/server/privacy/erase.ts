import type { PostPolicy } from '../../contract/me.ts'
import type { Context } from '../context.ts'
import type { ParticipantId } from '../core/ids.ts'
import { tryLockForMaintenance } from '../db/maintenance-lock.ts'
import { eraseResponses, forgetParticipant } from '../erasure/forget-participant.ts'
import { eraseFilesBy } from '../files/erase.ts'
import { removeOrphans } from '../orphans/orphans.ts'
import { photoFolder } from '../participants/photos.ts'
import type { WriteScope } from '../scope.ts'

/**
 * Deletes a participant for good, with the files that they have attached, whatever becomes of their posts.
 * @returns the keys of files that no row refers to any more, for {@link finishErasure}
 */
export async function eraseParticipant(scope: WriteScope, id: ParticipantId, posts: PostPolicy): Promise<string[]> {
  const files = await eraseFilesBy(scope.db, id)
  return [...files, ...(await forgetParticipant(scope, id, posts === 'keep'))]
}

/**
 * Removes what participants leave behind outside of the rows, once their erasure is committed. If this process ends
 * before, the next start removes the files.
 * @param keys of {@link eraseParticipant}
 */
export async function finishErasure(
  ctx: Context,
  ids: readonly ParticipantId[],
  keys: readonly string[],
): Promise<void> {
  const all = [...keys]
  for (const id of ids) for await (const { key } of ctx.blobs.list(photoFolder(id))) all.push(key)
  for (const key of all) await ctx.blobs.disown(key)
  // The response to the request that has erased them was stored after that.
  await ctx.database.transaction(eraseResponses)
  await removeFiles(ctx, all)
  await ctx.database.scrub()
}

/** A backup in progress may still have to copy the files. */
const retryMs = 60_000

async function removeFiles(ctx: Context, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const release = await tryLockForMaintenance(ctx.config.database)
  if (release)
    try {
      await removeOrphans(ctx, keys)
    } finally {
      await release()
    }
  // A failed attempt leaves the keys to the next start.
  else setTimeout(() => removeFiles(ctx, keys).catch(() => {}), retryMs).unref()
}
