import { Failure } from '../core/failure.ts'
import { noParticipant } from '../core/ids.ts'
import type { Client } from '../core/principal.ts'
import { hourMs, minuteMs } from '../core/time-units.ts'
import type { PreparationScope, WriteScope } from '../scope.ts'
import { type Attempt, countAttempts, findWait, type Limit } from './attempts.ts'
import { hasRedeemed } from './code-store.ts'
import type { CodePurpose } from './codes.ts'
import { hashSecret } from './secret.ts'

/** The period of the limits on codes that are asked for. */
const askingMs = 15 * minuteMs

const codes = {
  ofBrowser: { name: 'codes of a browser', max: 10, periodMs: askingMs },
  /** In browsers in which somebody has signed in with the address. */
  forAddressInKnown: { name: 'codes for an address in known browsers', max: 10, periodMs: askingMs },
  forAddress: { name: 'codes for an address', max: 10, periodMs: askingMs },
  forAddressInNetwork: { name: 'codes for an address in a network', max: 5, periodMs: askingMs },
  inNetwork: { name: 'codes in a network', max: 1_000, periodMs: askingMs },
  inAll: { name: 'codes', max: 10_000, periodMs: askingMs },
  /** While there are too many in all: visitors must not keep everybody from signing in. */
  inTurn: { name: 'codes for an address in turn', max: 1, periodMs: 5 * minuteMs },
} as const satisfies Record<string, Limit>

/** Codes to the address to which a participant wants to change: it may be that of a stranger. */
const codesToNew = {
  address: { name: 'codes to a new address', max: 3, periodMs: askingMs },
  ofParticipant: { name: 'codes to new addresses of a participant', max: 5, periodMs: askingMs },
  inAll: { name: 'codes to new addresses', max: 100, periodMs: askingMs },
} as const satisfies Record<string, Limit>

const wrongTries = {
  ofBrowser: { name: 'wrong tries of a browser', max: 20, periodMs: hourMs },
  ofParticipant: { name: 'wrong tries of a participant', max: 20, periodMs: hourMs },
  forAddress: { name: 'wrong tries for an address', max: 20, periodMs: hourMs },
  inNetwork: { name: 'wrong tries in a network', max: 300, periodMs: hourMs },
  inAll: { name: 'wrong tries', max: 3_000, periodMs: hourMs },
} as const satisfies Record<string, Limit>

/** Wrong codes that may be entered before the right one: usually, and beyond a limit. */
const maxTries = { usual: 5, beyondLimit: 1 }

export interface RequestedCode {
  purpose: CodePurpose
  /** In lower case. */
  email: string
}

/**
 * Checks the limits on codes, of which a request may ask for two. Others may use up those of an address, of a network and
 * of the summit, but not those of a browser in which the owner of the address has signed in before.
 * @param browser its secret; undefined for none yet
 * @returns what counts once they are created
 * @throws Failure TOO_MANY_ATTEMPTS
 */
export async function checkCodeLimits(
  scope: PreparationScope,
  browser: string | undefined,
  requested: readonly RequestedCode[],
): Promise<Attempt[]> {
  const { principal, client } = scope
  const attempts: Attempt[] = []
  /** For which the limit on all counts. */
  const addresses: string[] = []
  for (const { purpose, email } of requested) {
    if (browser !== undefined) attempts.push({ limit: codes.ofBrowser, of: [browser] })
    if (purpose === 'new address')
      attempts.push(
        { limit: codesToNew.address, of: [email] },
        { limit: codesToNew.ofParticipant, of: [principal.participant] },
        { limit: codesToNew.inAll, of: [] },
      )
    if (await isKnown(scope, browser, email)) attempts.push({ limit: codes.forAddressInKnown, of: [email] })
    else {
      attempts.push({ limit: codes.forAddress, of: [email] }, ...inNetwork(codes.inNetwork, client))
      attempts.push(...inNetwork(codes.forAddressInNetwork, client, email))
      addresses.push(email)
    }
  }
  assertNoWait(await findWait(scope, attempts))
  const inAll = addresses.map(() => ({ limit: codes.inAll, of: [] }))
  const waitForAll = await findWait(scope, inAll)
  if (waitForAll === 0) return [...attempts, ...inAll]
  const inTurn = addresses.map((email) => ({ limit: codes.inTurn, of: [email] }))
  assertNoWait(Math.min(waitForAll, await findWait(scope, inTurn)))
  return [...attempts, ...inTurn]
}

function assertNoWait(waitMs: number): void {
  if (waitMs > 0) throw new Failure('TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

/** Beyond a limit a code is not refused, since its owner may enter it right. @returns the wrong tries that it allows */
export const findMaxTries = async (scope: PreparationScope, email: string): Promise<number> =>
  (await findWait(scope, await wrongTriesFor(scope, email))) > 0 ? maxTries.beyondLimit : maxTries.usual

export const countWrongTry = async (scope: WriteScope, email: string): Promise<void> =>
  countAttempts(scope, await wrongTriesFor(scope, email))

/** The limits for a wrong code: only those of the sender, where the owner of the address has signed in before. */
async function wrongTriesFor(scope: PreparationScope, email: string): Promise<Attempt[]> {
  const { principal, client } = scope
  const { browser = '' } = client
  const attempts: Attempt[] = [{ limit: wrongTries.ofBrowser, of: [browser] }]
  if (principal.participant !== noParticipant)
    attempts.push({ limit: wrongTries.ofParticipant, of: [principal.participant] })
  if (await isKnown(scope, browser, email)) return attempts
  attempts.push({ limit: wrongTries.forAddress, of: [email] }, { limit: wrongTries.inAll, of: [] })
  return [...attempts, ...inNetwork(wrongTries.inNetwork, client)]
}

/** Whether somebody has signed in with an address in a browser. */
const isKnown = async ({ db }: PreparationScope, browser: string | undefined, email: string): Promise<boolean> =>
  browser !== undefined && hasRedeemed(db, email, hashSecret(browser))

const inNetwork = (limit: Limit, { network }: Client, ...of: string[]): Attempt[] =>
  network === '' ? [] : [{ limit, of: [network, ...of] }]
