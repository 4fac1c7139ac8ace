import { type Access, hasWriteBudget } from '../../../contract/access.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/clock.ts'
import { Failure } from '../../core/failure.ts'
import type { Principal } from '../../core/principal.ts'
import { minuteMs } from '../../core/time-units.ts'

/** Times are in microseconds. */
const minute = minuteMs * 1000

/** How many times the budget of one person all users of an app have together. */
const appShare = 50

/** With at least so many senders, those whose budget is whole again are forgotten. */
const fewSenders = 1024

/**
 * Bounds how fast a sender writes where people sign in: the writes of a minute at once, then one after the other, evenly
 * (a token bucket). Organizers with a role are not bounded. Each process counts for itself, in memory: a write is not
 * slowed down, and several processes allow so many times as much.
 */
export class WriteBudget {
  readonly #perMinute: number
  readonly #clock: Clock
  /** When the budget of a sender is whole again, in microseconds since the epoch. */
  readonly #wholeAt = new Map<string, number>()
  #pruneFrom = fewSenders

  constructor({ writesPerMinute }: Pick<Config, 'writesPerMinute'>, clock: Clock) {
    this.#perMinute = writesPerMinute
    this.#clock = clock
  }

  /** Takes a write from the budget of its sender, before its body is read. @throws Failure TOO_MANY_WRITES */
  spend(access: Access, principal: Principal): void {
    const sender = senderOf(access, principal)
    if (sender !== undefined) this.#spend(sender, shareOf(principal))
  }

  /**
   * Takes a write of an app from the budget of the participant in whose name it is, too, so that one user cannot use up
   * that of all.
   * @throws Failure TOO_MANY_WRITES
   */
  spendAsUser(access: Access, principal: Principal, values: object): void {
    const user = userOf(access, principal, values)
    if (user === undefined) return
    try {
      this.#spend(user, 1)
    } catch (error) {
      this.#refund(senderOf(access, principal), shareOf(principal))
      throw error
    }
  }

  /** Gives back what a write has taken that was executed before. */
  refund(access: Access, principal: Principal, values: object): void {
    this.#refund(senderOf(access, principal), shareOf(principal))
    this.#refund(userOf(access, principal, values), 1)
  }

  #spend(sender: string, share: number): void {
    if (this.#perMinute === 0) return
    const now = this.#clock() * 1000
    const before = this.#wholeAt.get(sender) ?? now
    // Further away than a minute only if the clock was set back.
    const wholeAt = (before > now + minute ? now : Math.max(now, before)) + this.#costOf(share)
    const excess = wholeAt - now - minute
    if (excess > 0) throw new Failure('TOO_MANY_WRITES', { retryAfterSeconds: Math.ceil(excess / 1_000_000) })
    this.#wholeAt.set(sender, wholeAt)
    if (this.#wholeAt.size >= this.#pruneFrom) this.#prune(now)
  }

  #refund(sender: string | undefined, share: number): void {
    const wholeAt = sender === undefined ? undefined : this.#wholeAt.get(sender)
    if (sender !== undefined && wholeAt !== undefined) this.#wholeAt.set(sender, wholeAt - this.#costOf(share))
  }

  /** The time in which a budget regains one write; whole microseconds, so that sums are exact. */
  #costOf(share: number): number {
    return Math.floor(minute / (this.#perMinute * share))
  }

  #prune(now: number): void {
    for (const [sender, wholeAt] of this.#wholeAt) if (wholeAt <= now) this.#wholeAt.delete(sender)
    this.#pruneFrom = Math.max(fewSenders, 2 * this.#wholeAt.size)
  }
}

const shareOf = ({ app }: Principal): number => (app ? appShare : 1)

/**
 * Whose budget a write takes from; undefined for none. What people change about themselves counts for each of their
 * credentials, so that whoever floods with one of them does not keep its owner from revoking it.
 */
function senderOf(access: Access, { credential, participant, roles, app }: Principal): string | undefined {
  if (credential === 0 || roles.length > 0 || !hasWriteBudget(access)) return undefined
  return app || 'own' in access ? `credential ${credential}` : `participant ${participant}`
}

/**
 * The participant in whose name an app writes; undefined where it names none. Their budget is another than the one they
 * have once they sign in: an app may name anybody.
 */
function userOf(access: Access, { app, credential }: Principal, values: object): string | undefined {
  const name = app && 'actor' in access ? access.actor?.[0] : undefined
  const participant = name && (values as Record<string, unknown>)[name]
  return participant ? `participant ${participant} of ${credential}` : undefined
}
