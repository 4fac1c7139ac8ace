import { createSecretKey, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { BlobStore } from './blobs/blob-store.ts'
import { openBlobs } from './blobs/open.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock, timestampPrinter } from './core/clock.ts'
import { throwUncaught } from './core/throw-uncaught.ts'
import { inDataDir, makeDataDir } from './data-dir/data-dir.ts'
import { describeDatabase, markInitialized } from './db/initialized.ts'
import { type Database, openDatabase } from './db/open.ts'
import { hasSharedKey, hasStoredKey, sharedSigningKey, storedSigningKey } from './lifecycle/signing-key.ts'

/** What the whole program shares, constructed here and passed by hand. */
export interface Context {
  readonly config: Config
  readonly database: Database
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly signatureKey: KeyObject
  /** Prints a moment (milliseconds since 1970) in the configured time zone. */
  readonly timestamp: (ms: number) => string
  close(): Promise<void>
}

export interface ContextOptions {
  clock?: Clock
  /** Ends the process: the disk failed to sync, and nothing that is written from then on could be relied upon. */
  onSyncError?: (error: unknown) => void
  /** The signing key, 64 hex digits, for a summit that has none yet. */
  firstSigningKey?: string
  /** See `openDatabase`. */
  statementMs?: number
}

/** Opens the database and what lives under `DATA_DIR`, made where needed. @throws CannotOpen, NotOurs */
export const createContext = (config: Config, options: ContextOptions = {}): Promise<Context> =>
  inDataDir(config.dataDir, () => open(config, options))

async function open(
  config: Config,
  { clock = systemClock, onSyncError = throwUncaught, firstSigningKey, statementMs }: ContextOptions,
): Promise<Context> {
  await makeDataDir(config.dataDir)
  const database = await openDatabase(config.database, onSyncError, statementMs)
  if (!config.signatureKey && firstSigningKey === undefined) await warnOfLostKey(config, database)
  const signatureKey = config.signatureKey ?? (await signingKey(config, database, firstSigningKey))
  await markInitialized(config.database, database)
  const blobs = await openBlobs(config.blobs, blobsDir(config), onSyncError)
  return {
    config,
    database,
    blobs,
    clock,
    signatureKey: createSecretKey(signatureKey),
    timestamp: timestampPrinter(config.timeZone),
    close: async () => {
      await database.close()
      await blobs.close()
    },
  }
}

/** Whoever shares the database signs alike. */
const signingKey = ({ database: place, dataDir }: Config, database: Database, first?: string): Promise<Buffer> =>
  place.kind === 'folder' ? storedSigningKey(dataDir, first) : sharedSigningKey(database, first)

/** A summit that has begun had a key: with another one, nobody can verify what was signed before. */
async function warnOfLostKey({ database: place, dataDir }: Config, database: Database): Promise<void> {
  if ((await database.position()).id === 0) return
  if (place.kind === 'folder' ? await hasStoredKey(dataDir) : await hasSharedKey(database)) return
  console.error(
    `WARNING: This summit has begun already, but its signing key is not in ${describeDatabase(place)}, so a new one is made. ` +
      'If you have the old one, in a backup or as SIGNATURE_KEY, stop and bring it back.',
  )
}

export const blobsDir = (config: Config): string => join(config.dataDir, 'blobs')
