import { type Static, Type } from 'typebox'
import { lazyValidator } from '../../core/compile-schema.ts'
import { type BackupReader, DamagedBackup, readHashed, withHash } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import { backupIdPattern, databaseObjectPattern, isOwnObject } from './object-names.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })
const Moment = Type.Integer({ minimum: 0, description: 'Milliseconds since 1970.' })

/** Keys become paths: a manifest from elsewhere must not name others, such as `../key`. */
const blobKey = '^[a-z0-9-][a-z0-9.-]*(/[a-z0-9-][a-z0-9.-]*)*$'

/** Everything that a backup consists of. A backup exists once its manifest does. */
const Manifest = Type.Object(
  {
    format: Type.Literal(1, { description: 'Version of this format.' }),
    id: Type.String({ pattern: `^${backupIdPattern}$` }),
    summit: Type.String({
      description: 'Tells summits apart; empty for one without changes. See `summitFingerprint`.',
    }),
    createdAt: Moment,
    durationMs: Count,
    isScheduled: Type.Boolean({ description: 'Whether the server made it because it was due.' }),
    version: Type.String({ description: 'The version of Summit that made the backup.' }),
    migrations: Type.Array(Type.String(), { description: 'The schema of the database.' }),
    tables: Type.Record(Type.String(), Type.Object({ rows: Count, sha256: Sha256 })),
    database: Type.Array(
      Type.Object({ name: Type.String({ pattern: `^${databaseObjectPattern}$` }), size: Count, sha256: Sha256 }),
      {
        description: 'The parts of the database file, in order.',
      },
    ),
    files: Type.Array(
      Type.Object({
        key: Type.String({ pattern: blobKey }),
        size: Count,
        sha256: Sha256,
        verifiedAt: Type.Integer({ description: 'When its bytes were last read back from the backup.' }),
      }),
      { description: 'The stored files of the summit.' },
    ),
    missing: Type.Array(Type.Object({ key: Type.String(), owner: Type.String(), problem: Type.String() }), {
      description: 'Files that could not be read when the backup was made.',
    }),
    pages: Type.Integer({ description: 'Responses of the restored backup that were compared.' }),
    audit: Type.Optional(
      Type.Object(
        { id: Count, hash: Type.String({ pattern: '^([0-9a-f]{64})?$' }) },
        { description: 'The newest row of the change log; its hash is empty if it is not sealed.' },
      ),
    ),
    ledger: Type.Optional(
      Type.Literal(true, { description: 'The location has a ledger of erasures and revocations.' }),
    ),
    signatureKey: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Only if encrypted.' })),
    auditKey: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Only if encrypted.' })),
  },
  { additionalProperties: false },
)
export type Manifest = Static<typeof Manifest>
const manifestValidator = lazyValidator(Manifest)

const suffix = '/manifest.json'
const nameOf = (id: string): string => `${id}${suffix}`

/** The manifest begins with its own hash; it is stored last, and read back. */
export async function writeManifest(store: BackupStore, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest)
  await store.write(nameOf(manifest.id), [Buffer.from(withHash(text))])
  await readManifest(store, manifest.id)
}

/** @throws DamagedBackup */
export async function readManifest(store: BackupReader, id: string): Promise<Manifest> {
  const text = await readHashed(store, nameOf(id))
  // Its hash may be right although it is another object, such as the ledger.
  const manifest = parseOrNull(text)
  if (!manifestValidator().Check(manifest) || manifest.id !== id)
    throw new DamagedBackup(`${nameOf(id)} has a format that this version of Summit does not know`)
  return manifest
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A manifest with totals instead of its lists, which may have a million files. */
export type BackupSummary = Omit<Manifest, 'tables' | 'database' | 'files' | 'missing'> & {
  rows: number
  /** Of the database and all files. */
  bytes: number
  files: number
  /** Files that could not be backed up. */
  missing: number
}

export function summarize({ tables, database, files, missing, ...rest }: Manifest): BackupSummary {
  const sizeOf = (objects: { size: number }[]) => objects.reduce((sum, { size }) => sum + size, 0)
  return {
    ...rest,
    rows: Object.values(tables).reduce((sum, table) => sum + table.rows, 0),
    bytes: sizeOf(database) + sizeOf(files),
    files: files.length,
    missing: missing.length,
  }
}

/** The ids of the backups among these objects, oldest first. */
export const backupIds = (objects: Iterable<string>): string[] =>
  [...objects]
    .flatMap((name) => (isOwnObject(name) && name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []))
    .sort()
