import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { isFuture } from '../core/clock.ts'
import { Failure } from '../core/failure.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import { minuteMs } from '../core/time-units.ts'
import type { PreparationScope, WriteScope } from '../scope.ts'
import type { Db, Row } from '../storage/db/tables.ts'
import { countAttempts, deleteOldAttempts } from './attempts.ts'
import { checkCodeLimits, countWrongTry, findMaxTries, type RequestedCode } from './code-limits.ts'
import {
  addWrongTry,
  deleteAllCodes,
  deleteCodesBefore,
  deleteCodesOf,
  findNewestCode,
  insertCode,
  markCodeRedeemed,
} from './code-store.ts'
import { browserCookie, browserMs } from './cookies.ts'
import { hashSecret, newSecret } from './secret.ts'

/** The purpose of a code: signing in, or a change of the address, for which both addresses get one. */
export type CodePurpose = 'sign-in' | 'old address' | 'new address'

/** How long a code can be redeemed. */
export const codeMinutes = 10
const codeMs = codeMinutes * minuteMs

interface NewCode extends RequestedCode {
  /** Whose address it is; 0 if it is nobody's. */
  participant: ParticipantId
}

/** A code to send to its address. */
export interface CreatedCode extends RequestedCode {
  /** 8 digits. */
  code: string
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
 * Creates codes that a request asks for. One for an address of nobody is stored like any other, and counts like any
 * other, so that neither the response nor its time tells whether the address is known.
 * @param browser of `bindBrowser`
 * @throws Failure TOO_MANY_ATTEMPTS
 */
export async function createCodes(
  scope: WriteScope,
  browser: string,
  codes: readonly NewCode[],
): Promise<CreatedCode[]> {
  const { db, now } = scope
  await countAttempts(scope, await checkCodeLimits(scope, browser, codes))
  await deleteOldCodes(db, now)
  const created: CreatedCode[] = []
  for (const { purpose, email, participant } of codes) {
    const code = String(randomInt(1e8)).padStart(8, '0')
    await insertCode(db, {
      purpose,
      participant_id: participant,
      email,
      browser_sha256: hashSecret(browser),
      code_hmac: hmac(browser, code),
      created_at: now,
    })
    created.push({ purpose, email, code })
  }
  return created
}

/** The code that the browser has asked for last. @throws Failure CODE_INVALID if it cannot be redeemed any more */
export async function getOpenCode(scope: PreparationScope, purpose: CodePurpose): Promise<Row<'code'>> {
  const { db, now } = scope
  const { browser } = scope.client
  const code = browser === undefined ? undefined : await findNewestCode(db, hashSecret(browser), purpose)
  if (code?.redeemed_at !== 0 || code.created_at + codeMs <= now) throw new Failure('CODE_INVALID')
  // Dated by a wrong clock, it would be valid for too long.
  if (isFuture(code.created_at, now)) throw new Failure('CODE_INVALID')
  if (code.wrong_tries >= (await findMaxTries(scope, code.email))) throw new Failure('CODE_INVALID')
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
  await countWrongTry(scope, code.email)
  return new Failure('CODE_INVALID')
}

/** Uses a code up. @throws Failure CODE_INVALID if it was used before */
export async function redeemCode({ db, now }: WriteScope, { id }: Row<'code'>): Promise<void> {
  if (!(await markCodeRedeemed(db, id, now))) throw new Failure('CODE_INVALID')
}

/** Invalidates the codes of a participant and of their addresses, and forgets their browsers. What they count stays. */
export const eraseCodes = ({ db }: WriteScope, participant: ParticipantId, emails: readonly string[]): Promise<void> =>
  deleteCodesOf(db, participant, emails)

/**
 * Deletes some codes that cannot be redeemed and that no browser needs any more, and some counts that no limit needs.
 * @returns how many; 0 once none is left
 */
export const deleteOldCodes = async (db: Db, now: number): Promise<number> =>
  (await deleteCodesBefore(db, { unredeemed: now - codeMs, redeemed: now - browserMs, latest: now + codeMs })) +
  (await deleteOldAttempts(db, now))

/** The key is stored nowhere, so that the few digits cannot be found by trying all of them. */
const hmac = (browser: string, code: string): string => createHmac('sha256', browser).update(code).digest('hex')

const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

/** Deletes the codes of everyone. */
export const eraseAllCodes = (db: Db): Promise<void> => deleteAllCodes(db)
