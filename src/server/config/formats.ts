import { isIP } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { isDay } from '../core/clock.ts'
import { isLoopback } from '../core/loopback.ts'
import { parseMailbox, parseSmtpUrl } from '../platform/mail/mail-target.ts'
import { parseBackupTarget } from '../storage/blobs/backup-target.ts'
import { InvalidS3Url, parseBlobTarget } from '../storage/blobs/blob-target.ts'
import { databaseUrl } from '../storage/db/target.ts'
import { splitList } from './list.ts'
import type { SettingName } from './settings.ts'

/** Formats of the settings. */
export const formats = {
  host: isHost,
  'http-url': isBaseUrl,
  origins: (text: string) => splitList(text).every(isOrigin),
  proxies: (text: string) => isAccepted((list) => proxyAddress.compile(splitList(list)), text),
  'time-zone': isTimeZone,
  day: isDay,
  'database-url': databaseUrl.isValid,
  'blobs-url': (text: string) => isAccepted(parseBlobTarget, text),
  'backup-target': (text: string) => isAccepted(parseBackupTarget, text),
  'smtp-url': (text: string) => isAccepted(parseSmtpUrl, text),
  issuer: isIssuer,
  mailbox: (text: string) => isAccepted(parseMailbox, text),
}

/**
 * An IP address or a host name. A name must not end in a number
 * (https://url.spec.whatwg.org/#ends-in-a-number-checker).
 */
function isHost(text: string): boolean {
  return isIP(text) !== 0 || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && !/(^|\.)\d+\.?$/.test(text))
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  // Credentials would be exposed to every client, in every link.
  return url !== null && `${url.username}${url.password}` === '' && /^https?:\/\/[^?#\s]*$/.test(text)
}

/** OpenID Connect Discovery 1.0, 3: https, with neither query nor fragment. */
function isIssuer(text: string): boolean {
  const { protocol, hostname } = new URL(isBaseUrl(text) ? text : 'none:')
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** The scheme of an app in a web view, such as capacitor://localhost, is not normalized by `URL`. */
function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) return URL.parse(text)?.origin === text
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._:-]*$/.test(text)
}

/** Whether it is the name of an IANA time zone. An offset such as +05:30, which JavaScript takes for one, is none. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/**
 * The problem of a value that must not be quoted, to complete a sentence about it; undefined if no parser says more than
 * that it is invalid.
 */
export function findSecretProblem(name: SettingName, text: string): string | undefined {
  try {
    if (name === 'BLOBS_URL') parseBlobTarget(text)
    if (name === 'BACKUP_TO') parseBackupTarget(text)
    return undefined
  } catch (error) {
    if (error instanceof InvalidS3Url) return error.message
    throw error
  }
}

/** Whether a parser accepts a text, and does not throw. */
function isAccepted(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}
