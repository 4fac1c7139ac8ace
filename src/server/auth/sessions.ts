import { Failure } from '../core/failure.ts'
import { noOrganizer, noPasskey, type PasskeyId } from '../core/ids.ts'
import type { Principal } from '../core/principal.ts'
import { dayMs } from '../core/time-units.ts'
import { appendChange } from '../log/changes/log.ts'
import type { PersonalScope, WriteScope } from '../scope.ts'
import { expiredSessionCookie, sessionCookie } from './cookies.ts'
import { findUsableById, type Holder, headerScope, insertCredential, listUnrevokedOf } from './credential-store.ts'
import { revokeCredential } from './credentials.ts'
import { toPrincipal } from './principals.ts'
import { hashSecret, newSecret } from './secret.ts'

interface NewSession extends Holder {
  /** With which somebody signs in. */
  passkey?: PasskeyId
  /** How it came about, shown next to the browser. */
  label?: string
  /** See `CredentialTable`. */
  isIssuedByDesk?: boolean
  /** Whether it is of an app, which sends the secret in a header. */
  inHeader?: boolean
  /** In milliseconds since 1970. */
  expiresAt: number
}

interface StartedSession {
  /** Of requests with it. */
  principal: Principal
  /** The secret of the session of an app, which the response returns; undefined if it sets the cookie instead. */
  token: string | undefined
}

/** Starts a session, for which the response sets a cookie unless it is of an app. The one of the request ends. */
export async function startSession(
  scope: WriteScope,
  {
    participant,
    organizer,
    passkey = noPasskey,
    label = '',
    isIssuedByDesk = false,
    inHeader = false,
    expiresAt,
  }: NewSession,
): Promise<StartedSession> {
  const secret = newSecret()
  const { db, now, principal, cookies, userAgent } = scope
  if (principal.kind === 'session') await revokeCredential(scope, principal.credential)
  const id = await insertCredential(db, {
    kind: 'session',
    secret_sha256: hashSecret(secret),
    participant_id: participant,
    organizer_id: organizer,
    roles: inHeader ? headerScope : '',
    label: [inHeader && 'App', describeBrowser(userAgent), label].filter(Boolean).join(' · '),
    passkey_id: passkey,
    from_desk: Number(isIssuedByDesk),
    created_at: now,
    expires_at: expiresAt,
    used_at: now,
  })
  await appendChange(scope, { kind: 'credential.created', record: id })
  if (!inHeader) cookies.push(sessionCookie(secret, { isStrict: organizer !== noOrganizer, maxAgeMs: expiresAt - now }))
  const row = await findUsableById(db, id)
  if (!row) throw new Error(`Session ${id} cannot be used: its holder has been deleted or removed.`)
  return { principal: toPrincipal(row), token: inHeader ? secret : undefined }
}

/** A session that is younger cannot destroy anything: it may come from an invitation that somebody else has used. */
const newMs = dayMs

/** @throws Failure SESSION_FROM_DESK, SESSION_TOO_NEW */
export async function assertMayErase({ db, now, principal }: PersonalScope): Promise<void> {
  if (principal.kind !== 'session') return
  const row = await findUsableById(db, principal.credential)
  if (row?.from_desk === 1) throw new Failure('SESSION_FROM_DESK')
  if (!row || now - row.created_at < newMs) throw new Failure('SESSION_TOO_NEW')
}

/** Ends the session with which the request was sent, if any, and has the response remove a cookie. */
export async function endSession(scope: WriteScope): Promise<void> {
  const { kind, place, credential } = scope.principal
  if (kind === 'session') await revokeCredential(scope, credential)
  if (place === 'cookie' || place === '') scope.cookies.push(expiredSessionCookie)
}

/** Ends the sessions of the sender that were started with a passkey. */
export async function endSessionsOf(scope: WriteScope, passkey: PasskeyId): Promise<void> {
  for (const { id, passkey_id } of await listUnrevokedOf(scope.db, scope.principal))
    if (passkey_id === passkey)
      await (id === scope.principal.credential ? endSession(scope) : revokeCredential(scope, id))
}

/** The first of a list that occurs decides: browsers also name those that they resemble. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** A browser in words, by which its user recognizes it: `Firefox on Android`. Nothing else of it is stored. */
export function describeBrowser(userAgent: string): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : (browser ?? system ?? '')
}

const nameIn = (text: string, names: readonly (readonly [name: string, pattern: RegExp])[]): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0]
