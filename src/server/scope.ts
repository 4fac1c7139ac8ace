import type { KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../contract/access.ts'
import type { Context } from './context.ts'
import type { HmacKey } from './core/hmac-key.ts'
import { Links } from './core/links.ts'
import { type Audience, type Client, operator, type Principal, unknownClient, type Viewer } from './core/principal.ts'
import { readCookie } from './core/read-cookie.ts'
import type { Mail } from './platform/mail/mailer.ts'
import type { Db } from './storage/db/tables.ts'

/** The environment of a read. Nothing in it is specific to a request, as the result may be cached for others. */
export interface Scope {
  /** The transaction of a write, or the database for a read. */
  readonly db: Db
  /** The time of the operation, in milliseconds since the epoch. */
  readonly now: number
  readonly links: Links
  /** The readers of the result. */
  readonly audience: Audience
  /** Formats a time as in responses. */
  readonly timestamp: Context['timestamp']
  /** The IANA name of that zone. */
  readonly timeZone: Context['config']['timeZone']
  readonly dayOfWeek: Context['config']['dayOfWeek']
  readonly limits: Context['config']['limits']
  /** The last day of the summit, `YYYY-MM-DD`; undefined if only the program says. */
  readonly summitEnds: Context['config']['summitEnds']
}

/** The environment of a read whose result is for one person. */
export interface PersonalScope extends Scope {
  /** The sender of the request. */
  readonly principal: Principal
}

/** The environment of the work that precedes the transaction of a write. */
export interface PreparationScope extends PersonalScope {
  /** The value of a cookie of the request, '' if there are several; undefined for none. */
  readonly sentCookie: (name: string) => string | undefined
  /** The `User-Agent` of the request, '' if there is none. */
  readonly userAgent: string
  /** The `Idempotency-Key` of the request, as sent. */
  readonly idempotencyKey: string | undefined
  readonly client: Client
  /** Whether the summit sends mail. */
  readonly sendsMail: boolean
  /** Whether participants sign in: not where `ACCESS` is `open`. */
  readonly participantsSignIn: boolean
  /** Signs the cookies that the browser stores for the server. */
  readonly cookieKey: KeyObject
  /** Collects values of `Set-Cookie`, which are sent once the write is durable. */
  readonly cookies: string[]
  /** The role of organizers who may do this for anyone. */
  readonly role: Role
}

/** The environment of a write. */
export interface WriteScope extends PreparationScope {
  /** Identifies the request in responses, logs and the change log; for a command, its name. */
  readonly requestId: string
  /** Seals the change log; undefined if it is not sealed. */
  readonly auditKey: HmacKey | undefined
  /** Collects mail, which is sent once the write is durable and its response sent. */
  readonly mails: Mail[]
}

/** The environment of a request that writes. */
export interface RequestScope extends WriteScope {
  /**
   * Runs an effect beyond the database once the write is durable, and before the response. It also runs if it is not known
   * whether the write was stored, so it must look.
   */
  afterCommit(effect: () => Promise<void>): void
}

export const openScope = (ctx: Context, db: Db, { audience, baseUrl, mediaKey }: Viewer): Scope => ({
  db,
  now: ctx.clock(),
  links: new Links(baseUrl, mediaKey),
  audience,
  timestamp: ctx.timestamp,
  timeZone: ctx.config.timeZone,
  dayOfWeek: ctx.config.dayOfWeek,
  limits: ctx.config.limits,
  summitEnds: ctx.config.summitEnds,
})

/** A request that writes, or a command. */
type WriteRequest = { headers: IncomingHttpHeaders } & Pick<
  WriteScope,
  'requestId' | 'principal' | 'role' | 'idempotencyKey' | 'client'
>

export const openWriteScope = (
  ctx: Context,
  db: Db,
  viewer: Viewer,
  { headers, requestId, principal, role, idempotencyKey, client }: WriteRequest,
): WriteScope => ({
  ...openScope(ctx, db, viewer),
  requestId,
  principal,
  role,
  idempotencyKey,
  client,
  userAgent: headers['user-agent'] ?? '',
  sentCookie: (name) => readCookie(headers, name),
  auditKey: ctx.auditKey,
  cookieKey: ctx.cookieKey,
  sendsMail: ctx.config.mail !== undefined,
  participantsSignIn: ctx.config.access !== 'open',
  cookies: [],
  mails: [],
})

/** The scope of an operator's command. @param name recorded in the change log in place of a request id */
export const commandScope = (ctx: Context, db: Db, name: string): WriteScope =>
  openWriteScope(
    ctx,
    db,
    { audience: operator.audience, baseUrl: ctx.config.publicUrl ?? '', mediaKey: '' },
    {
      requestId: name,
      principal: operator,
      role: 'owner',
      headers: {},
      idempotencyKey: undefined,
      client: unknownClient,
    },
  )
