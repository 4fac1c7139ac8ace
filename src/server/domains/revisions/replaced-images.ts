import type { OwnedBlob } from '../../storage/blobs/blob-store.ts'
import type { Db } from '../../storage/db/tables.ts'
import { imageKeys, type RevisedKind, recordOfImage, revisedKinds } from './states.ts'
import { listRecordsAfter, listRecordsOf, type RevisionRecord } from './store.ts'

// An image that a revision replaced stays until that revision is undone, which restores it.

/** The keys of the images that a revision replaced in a record. */
function replacedKeys({ kind, before, after }: Pick<RevisionRecord, 'kind' | 'before' | 'after'>): string[] {
  if (before === '') return []
  const remaining = new Set(imageKeys(kind as RevisedKind, after))
  return imageKeys(kind as RevisedKind, before).filter((key) => !remaining.has(key))
}

/** Returns the keys of images that revisions replaced in the records that these blob keys belong to. */
export async function findReplacedImages(db: Db, keys: readonly string[]): Promise<string[]> {
  const owners = keys.flatMap((key) => recordOfImage(key) ?? [])
  const records = await Promise.all(
    revisedKinds.map((kind) => {
      const ids = owners.flatMap((owner) => (owner.kind === kind ? [owner.id] : []))
      return listRecordsOf(db, kind, [...new Set(ids)])
    }),
  )
  return records.flat().flatMap(replacedKeys)
}

/** All images that revisions replaced. */
export async function* listReplacedImages(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const records = await listRecordsAfter(db, after, batchSize)
    for (const record of records)
      for (const key of replacedKeys(record)) {
        const sha256 = /([0-9a-f]{64})(?:-[0-9a-f]+)?\.\w+$/.exec(key)?.[1]
        yield { key, sha256, owner: `picture that undoing revision ${record.revision_id} restores` }
      }
    after = records.at(-1)?.id ?? after
    if (records.length < batchSize) return
  }
}

/** Rows read per query. */
const batchSize = 500

/** The number of {@link listReplacedImages}. */
export async function countReplacedImages(db: Db): Promise<number> {
  let count = 0
  for await (const _ of listReplacedImages(db)) count++
  return count
}
