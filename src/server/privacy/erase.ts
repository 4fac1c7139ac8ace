import type { PostPolicy } from '../../contract/me.ts'
import { eraseAllCodes } from '../access/codes.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { appendChange } from '../changes/log.ts'
import type { Context } from '../context.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import { tryLockForMaintenance } from '../db/maintenance-lock.ts'
import type { Db } from '../db/tables.ts'
import { forgetParticipant } from '../erasure/forget-participant.ts'
import { eraseFilesBy, findFileKeysBy } from '../files/erase.ts'
import { findPostFileKeys } from '../newsfeed/authorship.ts'
import { removeOrphans } from '../orphans/orphans.ts'
import { photoFolder } from '../participants/photos.ts'
import { findAnyParticipants } from '../participants/stored-participants.ts'
import { eraseAllResponses, eraseResponsesOf } from '../retries/erase.ts'
import { commandScope, type WriteScope } from '../scope.ts'

/**
 * Deletes a participant for good, with the files that they have attached, even if their posts stay.
 * @param pendingKeys by {@link markFilesPending} before the transaction
 * @returns the keys of files that no row refers to any more, for {@link finishErasure}
 */
export async function eraseParticipant(
  scope: WriteScope,
  { blobs }: Context,
  id: ParticipantId,
  posts: PostPolicy,
  pendingKeys: readonly string[],
): Promise<string[]> {
  const files = await eraseFilesBy(scope.db, id)
  await appendChange(scope, { kind: 'participant.files_erased', record: id })
  return markRestPending(blobs, [...files, ...(await forgetParticipant(scope, id, posts === 'keep'))], pendingKeys)
}

/**
 * Lets the next start remove the files that {@link eraseParticipant} will leave without a row, if this process ends before
 * it removes them. The file store may be remote, and there may be many: call it before the transaction. Where that is
 * rolled back, the files stay.
 * @returns their keys
 */
export async function markFilesPending(ctx: Context, id: ParticipantId, posts: PostPolicy): Promise<string[]> {
  const find = posts === 'keep' ? findFileKeysBy : findPostFileKeys
  return [
    ...(await markPhotosPending(ctx, id)),
    ...(await markKeysPending(ctx.blobs, await find(ctx.database.read, id))),
  ]
}

/** The same for their photos only. @returns their keys */
export async function markPhotosPending({ blobs }: Context, id: ParticipantId): Promise<string[]> {
  return markKeysPending(blobs, await Array.fromAsync(blobs.list(photoFolder(id)), ({ key }) => key))
}

async function markKeysPending(blobs: BlobStore, keys: string[]): Promise<string[]> {
  for (const key of keys) await blobs.markPending(key)
  return keys
}

/**
 * Marks the files that were added since, rarely any. It runs no query and needs only the local disk; after the
 * transaction, the process might have ended.
 * @returns all keys
 */
export async function markRestPending(
  blobs: BlobStore,
  keys: string[],
  pendingKeys: readonly string[],
): Promise<string[]> {
  const before = new Set(pendingKeys)
  const added = keys.filter((key) => !before.has(key))
  await Promise.all(added.map((key) => blobs.markPending(key)))
  return [...pendingKeys, ...added]
}

/**
 * Removes what a participant leaves behind outside of the rows, once their erasure is committed.
 * @param keys of {@link eraseParticipant}
 */
export const finishErasure = (ctx: Context, id: ParticipantId, keys: string[]): Promise<void> =>
  removeErased(ctx, keys, (db) => eraseResponsesOf(db, id))

async function removeErased(ctx: Context, keys: string[], eraseResponses: (db: Db) => Promise<void>): Promise<void> {
  // Requests may have stored their responses since, among them the one that has erased its sender.
  await ctx.database.transaction(eraseResponses)
  await removeFiles(ctx, keys)
  await ctx.database.scrub()
}

/** Participants whose ids are read at once. */
const batchSize = 100

/** Erases all participants, one after the other, while others may write. @param isStopped asked before each */
export async function eraseEveryone(ctx: Context, isStopped: () => boolean): Promise<void> {
  const { database, config } = ctx
  const keys: string[] = []
  // Otherwise each participant would be searched for in all of them.
  await database.transaction(eraseAllResponses)
  // Also those that were asked for in the name of nobody.
  await database.transaction(eraseAllCodes)
  for (let ids = [noParticipant]; ids.length > 0; ) {
    ids = await findAnyParticipants(database.read, batchSize)
    for (const id of ids) {
      if (isStopped()) return
      const pendingKeys = await markFilesPending(ctx, id, config.erasePosts)
      const files = await database.transaction((tx) =>
        eraseParticipant(commandScope(ctx, tx, 'erase personal data'), ctx, id, config.erasePosts, pendingKeys),
      )
      keys.push(...files)
    }
  }
  await removeErased(ctx, keys, eraseAllResponses)
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
