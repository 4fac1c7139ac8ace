import type { OwnedBlob } from '../../../storage/blobs/blob-store.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { type ImportRecord, listRecordsAfter, listRecordsOf } from '../records/import-store.ts'
import { type ImportedKind, imageKeys, importedKinds, recordOfImage } from '../records/record-states.ts'

// An image that an import replaced stays until that import is undone, which restores it.

/** The keys of the images that an import replaced in a record. */
function replacedKeys({ kind, before, after }: Pick<ImportRecord, 'kind' | 'before' | 'after'>): string[] {
  if (before === '') return []
  const remaining = new Set(imageKeys(kind as ImportedKind, after))
  return imageKeys(kind as ImportedKind, before).filter((key) => !remaining.has(key))
}

/** Returns the keys of images that imports replaced in the records that these blob keys belong to. */
export async function findReplacedImages(db: Db, keys: readonly string[]): Promise<string[]> {
  const owners = keys.flatMap((key) => recordOfImage(key) ?? [])
  const records = await Promise.all(
    importedKinds.map((kind) => {
      const ids = owners.flatMap((owner) => (owner.kind === kind ? [owner.id] : []))
      return listRecordsOf(db, kind, [...new Set(ids)])
    }),
  )
  return records.flat().flatMap(replacedKeys)
}

/** All images that imports replaced. */
export async function* listReplacedImages(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const records = await listRecordsAfter(db, after, batchSize)
    for (const record of records)
      for (const key of replacedKeys(record)) {
        const sha256 = /([0-9a-f]{64})(?:-[0-9a-f]+)?\.\w+$/.exec(key)?.[1]
        yield { key, sha256, owner: `picture that import undo ${record.import_id} restores` }
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
