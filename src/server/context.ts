import { createSecretKey, type KeyObject } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from './blobs/blob-store.ts'
import { openFsBlobs } from './blobs/fs.ts'
import { type Clock, systemClock, timestampPrinter } from './clock.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/open.ts'
import { keptSigningKey } from './signing-key.ts'

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
}

/** Opens what lives under `DATA_DIR`, made where needed. */
export async function createContext(
  config: Config,
  { clock = systemClock, onSyncError = throwUncaught }: ContextOptions = {},
): Promise<Context> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const signatureKey = config.signatureKey ?? (await keptSigningKey(config.dataDir))
  const blobs = await openFsBlobs(blobsDir(config), onSyncError)
  const database = await openDatabase(config.dataDir, onSyncError)
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

function throwUncaught(error: unknown): void {
  process.nextTick(() => {
    throw error
  })
}

export const blobsDir = (config: Config): string => join(config.dataDir, 'blobs')
