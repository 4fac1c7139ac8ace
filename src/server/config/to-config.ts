import { dayMs, hourMs, minuteMs } from '../core/time-units.ts'
import { mailTarget } from '../platform/mail/mail-target.ts'
import { parseBackupTarget } from '../storage/blobs/backup-target.ts'
import { parseBlobTarget } from '../storage/blobs/blob-target.ts'
import type { Config, OidcConfig } from './config.ts'
import { splitList } from './list.ts'
import type { Settings } from './settings.ts'

/** The configuration of valid settings. */
export const toConfig = (settings: Settings): Config => ({
  host: settings.HOST,
  port: settings.PORT,
  workers: settings.WORKERS,
  dataDir: settings.DATA_DIR,
  database:
    settings.DATABASE_URL === undefined
      ? { kind: 'folder', dir: settings.DATA_DIR }
      : { kind: 'server', url: settings.DATABASE_URL },
  blobs: parseBlobTarget(settings.BLOBS_URL),
  backup: {
    to: settings.BACKUP_TO === undefined ? undefined : parseBackupTarget(settings.BACKUP_TO),
    everyMs: settings.BACKUP_TO === undefined ? undefined : toMs(settings.BACKUP_EVERY),
    key: settings.BACKUP_KEY === undefined ? undefined : Buffer.from(settings.BACKUP_KEY, 'hex'),
  },
  beginWith: settings.BEGIN_WITH,
  publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
  corsOrigins: new Set(splitList(settings.CORS_ORIGINS)),
  trustedProxies: splitList(settings.TRUSTED_PROXIES),
  timeZone: settings.TIMEZONE,
  dayOfWeek: settings.DAY_OF_WEEK,
  access: settings.ACCESS,
  feedbackReaders: settings.FEEDBACK_READERS,
  writesPerMinute: settings.WRITES_PER_MINUTE,
  erasePosts: settings.ERASE_POSTS,
  erasePersonalDataAfter: settings.ERASE_PERSONAL_DATA_AFTER,
  mail: mailTarget(settings.SMTP_URL, settings.MAIL_FROM),
  oidc: oidcConfig(settings),
  summitEnds: settings.SUMMIT_ENDS,
  logLevel: settings.LOG_LEVEL,
  pageCacheBytes: settings.PAGE_CACHE_BYTES,
  signatureKey: settings.SIGNATURE_KEY === undefined ? undefined : Buffer.from(settings.SIGNATURE_KEY, 'hex'),
  auditKey: settings.AUDIT_KEY === undefined ? undefined : Buffer.from(settings.AUDIT_KEY, 'hex'),
  limits: {
    name: settings.MAX_NAME,
    body: settings.MAX_BODY,
    comment: settings.MAX_COMMENT,
    feedback: settings.MAX_FEEDBACK,
    text: settings.MAX_TEXT,
    link: settings.MAX_LINK,
    jsonBytes: settings.MAX_JSON_BYTES,
    fileBytes: settings.MAX_FILE_BYTES,
    files: settings.MAX_FILES,
  },
})

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs }

/** @returns undefined for `never` */
const toMs = (duration: string): number | undefined =>
  duration === 'never' ? undefined : Number.parseInt(duration, 10) * (unitMs[duration.slice(-1)] ?? 0)

/** Undefined unless all of its settings are given. */
export function oidcConfig({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Settings): OidcConfig | undefined {
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined) return undefined
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET }
}
