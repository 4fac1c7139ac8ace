import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { Failure } from '../core/failure.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import { minuteMs } from '../core/time-units.ts'
import type { Db, Row } from '../db/tables.ts'
import type { PreparationScope, WriteScope } from '../scope.ts'
import { browserCookie, browserMs } from './browser-cookie.ts'
import {
  addWrongTry,
  type CodeFilter,
  countCodes,
  countWrongTries,
  deleteAllCodes,
  deleteCodesBefore,
  deleteCodesOf,
  findNewestCode,
  hasRedeemed,
  insertCode,
  markCodeRedeemed,
} from './code-store.ts'
import { hashSecret, newSecret } from './secret.ts'

/** The purpose of a code: signing in, or a change of the address, for which both addresses get one. */
export type CodePurpose = 'sign-in' | 'old address' | 'new address'

/** How long a code can be redeemed. */
export const codeMinutes = 10

/** Wrong codes that may be entered before the right one. */
const maxTries = 5

/** The period of the limits on codes that are asked for. */
const codesMs = 15 * minuteMs

/** Codes in that period, for one address, for one address and network, by one browser, and by one network. */
const maxCodes = { email: 10, emailAndNetwork: 5, browser: 10, network: 1_000 }

/** Maximum of unredeemed codes of a summit in that period: visitors cannot store more. */
const maxUnredeemed = 10_000

/** The period of the limits on wrong tries. */
const triesMs = 60 * minuteMs

/** Wrong tries in that period, for one address or by one network, after which a code has a single try. */
const maxWrongTries = { email: 20, network: 300 }

interface NewCode {
  purpose: CodePurpose
  /** In lower case. */
  email: string
  /** Whose address it is; 0 if it is nobody's. */
  participant: ParticipantId
}

/**
 * The secret of the browser that has sent a request, which gets one, or keeps its own for longer. Codes are bound to it.
 */
export function bindBrowser({ client, cookies }: WriteScope): string {
  const browser = client.browser ?? newSecret()
  cookies.push(browserCookie(browser))
  return browser
}

/**
 * Creates a code for an e-mail address. One of nobody's is stored like any other, and counts like any other, so that
 * neither the response nor its time tells whether the address is known.
 * @param browser of `bindBrowser`
 * @throws Failure TOO_MANY_ATTEMPTS
 */
export async function createCode(
  scope: WriteScope,
  browser: string,
  { purpose, email, participant }: NewCode,
): Promise<string> {
  const { db, now, client } = scope
  await assertMayAsk(scope, email)
  await deleteOldCodes(db, now)
  const code = String(randomInt(1e8)).padStart(8, '0')
  await insertCode(db, {
    purpose,
    participant_id: participant,
    email,
    browser_sha256: hashSecret(browser),
    network: client.network,
    code_hmac: hmac(browser, code),
    created_at: now,
  })
  return code
}

/** Checks the limits on codes that are asked for. @throws Failure TOO_MANY_ATTEMPTS */
export async function assertMayAsk({ db, now, client }: PreparationScope, email: string): Promise<void> {
  const browser_sha256 = client.browser === undefined ? '' : hashSecret(client.browser)
  if (await hasTooMany(db, { email, browser_sha256, network: client.network }, now - codesMs))
    throw new Failure('TOO_MANY_ATTEMPTS')
}

/**
 * Others may use up the limit of an address and that of the summit, but not that of a browser in which the owner of the
 * address has signed in before. Without the client's network, only the first two limits remain for other browsers.
 */
async function hasTooMany(
  db: Db,
  { email, browser_sha256, network }: Required<Omit<CodeFilter, 'redeemed_at'>>,
  since: number,
): Promise<boolean> {
  const isReached = async (max: number, filter: CodeFilter) => (await countCodes(db, filter, since)) >= max
  if (await isReached(maxCodes.browser, { browser_sha256 })) return true
  if (await hasRedeemed(db, email, browser_sha256)) return false
  if (await isReached(maxCodes.email, { email })) return true
  if (network !== '' && (await isReached(maxCodes.emailAndNetwork, { email, network }))) return true
  if (network !== '' && (await isReached(maxCodes.network, { network }))) return true
  return isReached(maxUnredeemed, { redeemed_at: 0 })
}

/** The code that the browser has asked for last. @throws Failure CODE_INVALID if it cannot be redeemed any more */
export async function getOpenCode({ db, now, client }: PreparationScope, purpose: CodePurpose): Promise<Row<'code'>> {
  const { browser } = client
  const code = browser === undefined ? undefined : await findNewestCode(db, hashSecret(browser), purpose)
  if (code?.redeemed_at !== 0 || code.created_at + codeMinutes * minuteMs <= now) throw new Failure('CODE_INVALID')
  if (code.wrong_tries >= (await findMaxTries(db, code, now))) throw new Failure('CODE_INVALID')
  return code
}

/**
 * Checks what somebody has entered against the code that their browser has asked for last.
 * @returns the code, to be marked by `redeemCode`; a failure after a wrong try, which the caller returns, to store the try
 * @throws Failure CODE_INVALID if there is no code that can be redeemed
 */
export async function checkCode(
  scope: WriteScope,
  purpose: CodePurpose,
  entered: string,
): Promise<Row<'code'> | Failure> {
  const code = await getOpenCode(scope, purpose)
  const isRight = isEqual(code.code_hmac, hmac(scope.client.browser ?? '', entered.replace(/[\s-]/g, '')))
  if (isRight && code.participant_id !== noParticipant) return code
  await addWrongTry(scope.db, code.id)
  return new Failure('CODE_INVALID')
}

/** After many wrong tries elsewhere a code is not refused, since its owner may enter it right. */
async function findMaxTries(db: Db, { email, browser_sha256, network }: Row<'code'>, now: number): Promise<number> {
  if (await hasRedeemed(db, email, browser_sha256)) return maxTries
  const isReached = async (max: number, filter: CodeFilter) => (await countWrongTries(db, filter, now - triesMs)) >= max
  if (await isReached(maxWrongTries.email, { email })) return 1
  return network !== '' && (await isReached(maxWrongTries.network, { network })) ? 1 : maxTries
}

/** Uses a code up. @throws Failure CODE_INVALID if it was used before */
export async function redeemCode({ db, now }: WriteScope, { id }: Row<'code'>): Promise<void> {
  if (!(await markCodeRedeemed(db, id, now))) throw new Failure('CODE_INVALID')
}

/** Invalidates the codes of a participant and of their address, and forgets their browsers. */
export const eraseCodes = ({ db }: WriteScope, participant: ParticipantId, email: string): Promise<void> =>
  deleteCodesOf(db, participant, email)

/** Deletes some codes that no limit and no browser needs any more. @returns how many; 0 once none is left */
export const deleteOldCodes = (db: Db, now: number): Promise<number> =>
  deleteCodesBefore(db, { unredeemed: now - triesMs, redeemed: now - browserMs })

/** The key is stored nowhere, so that the few digits cannot be found by trying all of them. */
const hmac = (browser: string, code: string): string => createHmac('sha256', browser).update(code).digest('hex')

const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

/** Deletes the codes of everyone. */
export const eraseAllCodes = (db: Db): Promise<void> => deleteAllCodes(db)
