import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { type Clock, ClockWatch, machineUptime, systemClock, timestampFormatter } from '../../core/clock.ts'
import { throwUncaught } from '../../core/errors.ts'
import { HmacKey } from '../../core/hmac-key.ts'
import { recordInLedger } from '../../log/ledger/pending-entries.ts'
import { PictureDrawer } from '../../platform/images/picture-drawer.ts'
import { openBlobs } from '../../storage/blobs/open.ts'
import { blobsDir, inDataDir, makeDataDir } from '../../storage/data-dir/data-dir.ts'
import { describeDatabase, markInitialized } from '../../storage/db/initialized.ts'
import { type Database, openDatabase } from '../../storage/db/open.ts'
import {
  checkAuditKey,
  hasKeyFile,
  hasSharedKey,
  loadAuditKey,
  loadOrCreateCookieKey,
  loadOrCreateKeyFile,
  loadOrCreateSharedKey,
} from './keys.ts'
import { loadOrCreateSummitId } from './summit-id.ts'

export interface ContextOptions {
  clock?: Clock
  /** The milliseconds that have passed since some moment, however the clock is set. */
  uptime?: Clock
  /** Stays open when the context is closed. Without it, the context creates and closes its own. */
  drawer?: PictureDrawer
  /** Must end the process: a sync to disk failed, so later writes could not be trusted to be durable. */
  onSyncError?: (error: unknown) => void
  /** The signing key, 64 hex digits, to store for a summit that has none yet. */
  initialSigningKey?: string
  /** The same for the key that seals the change log. */
  initialAuditKey?: string
  /** See `openDatabase`. */
  statementMs?: number
  /** See `recordInLedger`. */
  onMissingEntry?: (cause: unknown) => void
  /** Receives warnings about keys that are missing or do not match; by default they are printed. */
  warn?: (message: string) => void
}

const printWarning = (message: string): void => console.error(`WARNING: ${message}`)

/** Opens the database, the blob store and the signing key, creating what is missing. @throws CannotOpen, AccessDenied */
export const createContext = (config: Config, options: ContextOptions = {}): Promise<Context> =>
  inDataDir(config.dataDir, () => open(config, options))

async function open(
  config: Config,
  {
    clock = systemClock,
    uptime = machineUptime,
    drawer: sharedDrawer,
    onSyncError = throwUncaught,
    initialSigningKey,
    initialAuditKey,
    statementMs,
    onMissingEntry,
    warn = printWarning,
  }: ContextOptions,
): Promise<Context> {
  await makeDataDir(config.dataDir)
  const opened = await openDatabase(config.database, onSyncError, statementMs)
  const database = recordInLedger(opened, config.dataDir, onMissingEntry)
  if (!config.signatureKey && initialSigningKey === undefined) await warnIfKeyIsLost(config, database, warn)
  const signatureKey = config.signatureKey ?? (await loadOrCreateKey(config, database, initialSigningKey))
  const auditKey = await loadAuditKey(config, initialAuditKey)
  await checkAuditKey(database.read, auditKey, warn)
  await markInitialized(config.database, database)
  const id = await loadOrCreateSummitId(config, database)
  const cookieKey = await loadOrCreateCookieKey(database)
  const blobs = await openBlobs(config.blobs, blobsDir(config), onSyncError)
  const drawer = sharedDrawer ?? new PictureDrawer()
  return {
    id,
    config,
    database,
    blobs,
    clock,
    clockWatch: new ClockWatch(uptime),
    drawer,
    signatureKey: new HmacKey(signatureKey),
    auditKey,
    cookieKey,
    timestamp: timestampFormatter(config.timeZone),
    close: async () => {
      if (!sharedDrawer) drawer.close()
      await database.close()
      await blobs.close()
    },
  }
}

/** With a database server the key is in the database, so that all instances sign with the same one. */
const loadOrCreateKey = (
  { database: target, dataDir }: Config,
  database: Database,
  initial?: string,
): Promise<Buffer> =>
  target.kind === 'folder' ? loadOrCreateKeyFile(dataDir, initial) : loadOrCreateSharedKey(database, initial)

/** An existing summit had a key; signatures made with it cannot be verified with a new one. */
async function warnIfKeyIsLost(
  { database: target, dataDir }: Config,
  database: Database,
  warn: (message: string) => void,
): Promise<void> {
  if ((await database.position()).id === 0) return
  if (target.kind === 'folder' ? await hasKeyFile(dataDir) : await hasSharedKey(database)) return
  warn(
    `The signing key of this summit is missing from ${describeDatabase(target)}; generating a new one. ` +
      'If you have the old key, in a backup or as SIGNATURE_KEY, stop Summit and restore it.',
  )
}
