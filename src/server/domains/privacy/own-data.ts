import { Readable } from 'node:stream'
import type { ParticipantId } from '../../core/ids.ts'
import type { Download } from '../../operation.ts'
import type { PersonalScope, Scope } from '../../scope.ts'
import { type BlobStore, openStoredBlob } from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import { getProfile } from '../participants/participants.ts'
import { type OwnTable, ownTables } from '../participants/personal-data.ts'
import { photoFolder } from '../participants/photos.ts'
import { readOwnFiles, readOwnRows } from './own-rows-store.ts'
import { createZipStream, type ZipEntry } from './zip-stream.ts'

type OnDamaged = (damaged: DamagedBlob) => void

/**
 * Everything that is stored about the sender, as a ZIP archive: their rows as JSON, and their files.
 * @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is not a participant
 */
export async function exportOwnData(scope: PersonalScope, blobs: BlobStore): Promise<Download> {
  const { participant } = scope.principal
  await getProfile(scope, participant)
  return {
    fileType: 'application/zip',
    attachment: 'my-data.zip',
    open: (onDamaged) => createZipStream(listEntries(scope, blobs, participant, onDamaged)),
  }
}

async function* listEntries(
  scope: Scope,
  blobs: BlobStore,
  participant: ParticipantId,
  onDamaged: OnDamaged,
): AsyncGenerator<ZipEntry> {
  yield textEntry(scope, 'README.txt', readme(scope))
  for (const own of ownTables) yield textEntry(scope, `${own.table}.json`, toJson(scope, own, participant))
  for await (const { id, name, blob_key, size, created_at } of readOwnFiles(scope.db, participant))
    yield* fileEntry(blobs, { path: `files/${id}-${name}`, modifiedAt: created_at, key: blob_key, size }, onDamaged)
  for await (const { key, storedAt, size } of blobs.list(photoFolder(participant)))
    yield* fileEntry(blobs, { path: `photos/${key.split('/').at(-1)}`, modifiedAt: storedAt, key, size }, onDamaged)
}

const textEntry = ({ now }: Scope, path: string, text: Iterable<string> | AsyncIterable<string>): ZipEntry => ({
  path,
  modifiedAt: now,
  isText: true,
  open: async () => Readable.from(text, { objectMode: false }),
})

interface StoredFile {
  path: string
  modifiedAt: number
  key: string
  size: number
}

/** A file that is missing from the store is left out, and a text says so. */
async function* fileEntry(
  blobs: BlobStore,
  { path, modifiedAt, key, size }: StoredFile,
  onDamaged: OnDamaged,
): AsyncGenerator<ZipEntry> {
  try {
    const bytes = await openStoredBlob(blobs, { key, size })
    try {
      yield { path, modifiedAt, isText: false, open: async () => bytes }
    } finally {
      bytes.destroy()
    }
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    onDamaged(error)
    const open = async () => Readable.from(['The content of this file is missing on the server.\n'])
    yield { path: `${path} (missing).txt`, modifiedAt, isText: true, open }
  }
}

/** An array of all rows of a table about a participant. */
async function* toJson(scope: Scope, own: OwnTable, participant: ParticipantId): AsyncGenerator<string> {
  let separator = '['
  for await (const rows of readOwnRows(scope.db, own, participant))
    for (const row of rows) {
      yield `${separator}\n${JSON.stringify(row, (name, value) => (isTime(name) ? scope.timestamp(value) : value))}`
      separator = ','
    }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

const isTime = (column: string): boolean => column === 'at' || column.endsWith('_at')

function* readme({ now, timestamp }: Scope): Generator<string> {
  yield `This is what the server of the summit has stored about you, as of ${timestamp(now)}.\n\n`
  for (const { table, about } of ownTables) yield `${table}.json: ${about}\n`
  yield 'files/: the files that you have uploaded\n'
  yield 'photos/: photos of you that you have uploaded or organizers have imported\n\n'
  yield 'Times are those of the summit. An id of 0 refers to nobody.\n'
  yield 'What others have written about you is not included, nor are responses that are stored for a day in case a request\n'
  yield 'is repeated, logs and backups of the server.\n'
}
