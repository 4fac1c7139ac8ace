import { isLoopback } from '../core/loopback.ts'
import { overlap, parseBackupTarget } from '../storage/blobs/backup-target.ts'
import { parseBlobTarget } from '../storage/blobs/blob-target.ts'
import type { EffectiveSetting } from './config.ts'
import type { Settings } from './settings.ts'
import { keepsCookies } from './sign-in-url.ts'
import { oidcConfig } from './to-config.ts'

/** Messages by name of the setting. */
export type InvalidSettings = ReadonlyMap<string, string>

/** Checks settings, each of which is valid by itself, against each other. */
export const checkSettings = (settings: Settings, effective: EffectiveSetting[]): InvalidSettings =>
  new Map([
    ...checkExposure(settings, effective),
    ...checkPublicUrl(settings),
    ...checkLocations(settings),
    ...checkMail(settings),
    ...checkOidc(settings),
  ])

/** `sweep` removes what it does not know below the location of the files. */
function checkLocations({ BLOBS_URL, BACKUP_TO }: Settings): InvalidSettings {
  if (BLOBS_URL === undefined || BACKUP_TO === undefined) return new Map()
  return overlap(parseBlobTarget(BLOBS_URL), parseBackupTarget(BACKUP_TO))
    ? new Map([
        ['BACKUP_TO', 'BACKUP_TO and BLOBS_URL must not overlap. Choose another bucket or prefix for one of them.'],
      ])
    : new Map()
}

/** Printed mail shows codes and links that sign in. */
function checkMail({ HOST, SMTP_URL, MAIL_FROM }: Settings): InvalidSettings {
  if (SMTP_URL === 'log')
    return isLoopback(HOST)
      ? new Map()
      : new Map([
          ['SMTP_URL', `SMTP_URL=log prints mail for anyone who reads the log. With HOST=${HOST}, set a mail server.`],
        ])
  return (SMTP_URL === undefined) === (MAIL_FROM === undefined)
    ? new Map()
    : new Map([['MAIL_FROM', 'MAIL_FROM and SMTP_URL must be set together.']])
}

function checkOidc(settings: Settings): InvalidSettings {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = settings
  const given = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter((value) => value !== undefined)
  return given.length === 0 || oidcConfig(settings)
    ? new Map()
    : new Map([['OIDC_ISSUER', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.']])
}

/** With open access anyone who can reach the port may write, so listening on the network must be explicit. */
function checkExposure({ HOST }: Settings, effective: EffectiveSetting[]): InvalidSettings {
  const isAccessSet = effective.some(({ name, source }) => name === 'ACCESS' && source !== 'default')
  if (isLoopback(HOST) || isAccessSet) return new Map()
  const message =
    `HOST=${HOST} would let anyone who can reach this machine read and write as any participant. ` +
    'To allow that, also set ACCESS=open; to prevent it, ACCESS=public or members; otherwise leave HOST at 127.0.0.1.'
  return new Map([['HOST', message]])
}

/** Clients send their keys to this address. */
function checkPublicUrl({ ACCESS, PUBLIC_URL }: Settings): InvalidSettings {
  if (ACCESS === 'open') return new Map()
  if (keepsCookies(new URL(PUBLIC_URL ?? 'none:'))) return new Map()
  const given = PUBLIC_URL === undefined ? 'not set' : JSON.stringify(PUBLIC_URL)
  const message = `PUBLIC_URL must be an https URL with ACCESS=${ACCESS}; http only for localhost. It is ${given}.`
  return new Map([['PUBLIC_URL', message]])
}
