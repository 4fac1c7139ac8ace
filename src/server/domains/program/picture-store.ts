import type { SpeakerId } from '../../core/ids.ts'
import type { Db } from '../../storage/db/tables.ts'

// The stored photos of speakers and the logo; those of events are in `store.ts`.

/** The pattern of the keys of stored photos; other values are URLs. */
const storedPhotos = 'speakers/%'

/** Speakers with a stored photo after an id. */
export const listSpeakersWithPhotosAfter = (db: Db, after: number, limit: number) =>
  db
    .selectFrom('speaker')
    .select(['id', 'photo'])
    .where('id', '>', after as SpeakerId)
    .where('photo', 'like', storedPhotos)
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countSpeakerPhotos(db: Db): Promise<number> {
  const { photos } = await db
    .selectFrom('speaker')
    .select(({ fn }) => fn.countAll<number>().as('photos'))
    .where('photo', 'like', storedPhotos)
    .executeTakeFirstOrThrow()
  return Number(photos)
}

/** The keys among these that are the photo of a speaker. */
export async function findSpeakerPhotos(db: Db, keys: string[]): Promise<string[]> {
  const photos = keys.filter((key) => key.startsWith('speakers/'))
  if (photos.length === 0) return []
  const rows = await db.selectFrom('speaker').select('photo').where('photo', 'in', photos).execute()
  return rows.map(({ photo }) => photo)
}

/** The keys among these that are the logo. */
export async function findLogos(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db.selectFrom('conference').select('logo').where('logo', 'in', keys).execute()
  return rows.map(({ logo }) => logo)
}

export async function countLogos(db: Db): Promise<number> {
  const rows = await db.selectFrom('conference').select('id').where('logo', '<>', '').execute()
  return rows.length
}
