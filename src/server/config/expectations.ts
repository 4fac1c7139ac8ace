import { backupTargetExpectation } from '../storage/blobs/backup-target.ts'
import { databaseUrl } from '../storage/db/target.ts'
import type { SettingName } from './settings.ts'

const positive = 'must be a whole number of at least 1.'

/** Descriptions of valid values, which complete a message that begins with the name of the setting. */
export const expectations: Readonly<Record<SettingName, string>> = {
  HOST: 'must be an IP address or a host name, without a port.',
  PORT: 'must be a whole number from 0 to 65535.',
  WORKERS: 'must be a whole number from 1 to 128.',
  DATA_DIR: 'must be the path of a folder.',
  DATABASE_URL: databaseUrl.expectation,
  BLOBS_URL: 'must be s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=…], percent-encoded.',
  BACKUP_TO: backupTargetExpectation,
  BACKUP_EVERY: 'must be minutes, hours or days such as 30m, 6h or 1d, or never.',
  BACKUP_KEY: 'must be 64 hex digits.',
  BEGIN_WITH: 'must be sample or empty.',
  PUBLIC_URL: 'must be an http or https URL without user, query, fragment or spaces.',
  CORS_ORIGINS:
    'must be origins exactly as browsers send them, separated by commas: https://app.example, without a path or a slash ' +
    'at the end, in lower case.',
  TRUSTED_PROXIES: 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas.',
  TIMEZONE: 'must be an IANA time zone such as Europe/Berlin.',
  DAY_OF_WEEK: 'must be iso, mysql or js.',
  ACCESS: 'must be open, public or members.',
  FEEDBACK_READERS: 'must be organizers or participants.',
  WRITES_PER_MINUTE: 'must be a whole number from 0 to 10000.',
  ERASE_POSTS: 'must be delete or keep.',
  ERASE_PERSONAL_DATA_AFTER: 'must be a date such as 2027-03-31.',
  SMTP_URL:
    'must be smtp://[user:password@]host[:port][?tls=required|none] or smtps://[user:password@]host[:port], ' +
    'percent-encoded, or log.',
  MAIL_FROM: 'must be an e-mail address, or a name and an address: Summit <summit@example.org>.',
  OIDC_ISSUER:
    'must be an https URL without user, query or fragment (http only for localhost), exactly as the identity provider spells ' +
    'its issuer.',
  OIDC_CLIENT_ID: 'must have at most 1000 characters.',
  OIDC_CLIENT_SECRET: 'must have at most 1000 characters.',
  SUMMIT_ENDS: 'must be a date such as 2030-05-31.',
  LOG_LEVEL: 'must be silent, error, warn, info or debug.',
  PAGE_CACHE_BYTES: 'must be a whole number of bytes, or 0.',
  SIGNATURE_KEY: 'must be 64 hex digits.',
  AUDIT_KEY: 'must be 64 hex digits.',
  MAX_NAME: positive,
  MAX_BODY: positive,
  MAX_COMMENT: positive,
  MAX_FEEDBACK: positive,
  MAX_TEXT: positive,
  MAX_LINK: positive,
  MAX_JSON_BYTES: positive,
  MAX_FILE_BYTES: positive,
  MAX_FILES: positive,
}
