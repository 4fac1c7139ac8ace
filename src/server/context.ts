import type { KeyObject } from 'node:crypto'
import type { Config } from './config/config.ts'
import type { Clock, ClockWatch } from './core/clock.ts'
import type { HmacKey } from './core/hmac-key.ts'
import type { PictureDrawer } from './platform/images/picture-drawer.ts'
import type { BlobStore } from './storage/blobs/blob-store.ts'
import type { Database } from './storage/db/open.ts'

/** Shared dependencies of the whole program, created by `createContext` and passed explicitly. */
export interface Context {
  /** See `loadOrCreateSummitId`. */
  readonly id: string
  readonly config: Config
  readonly database: Database
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly clockWatch: ClockWatch
  readonly drawer: PictureDrawer
  readonly signatureKey: HmacKey
  /** Seals the change log; undefined if it is not sealed. */
  readonly auditKey: HmacKey | undefined
  /** See `loadOrCreateCookieKey`. */
  readonly cookieKey: KeyObject
  /** Formats a time (milliseconds since the epoch) in the configured time zone. */
  readonly timestamp: (ms: number) => string
  close(): Promise<void>
}
