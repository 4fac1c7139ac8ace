import { EgressError } from '../../platform/egress/egress-error.ts'

/** Why somebody was not signed in, with the status of the response and a sentence for them. */
const reasons = {
  LOGIN_UNKNOWN: {
    status: 400,
    text: 'This sign-in took longer than 10 minutes, or was begun in another browser or tab. Please begin again.',
  },
  REFUSED: { status: 403, text: 'The identity provider did not sign you in.' },
  PROVIDER_UNREACHABLE: {
    status: 503,
    text: 'The identity provider cannot be reached at the moment. Please try again later, or sign in with an invitation.',
  },
  BUSY: { status: 503, text: 'Too many people are signing in at the moment. Please try again in a minute.' },
  PROVIDER_INVALID: {
    status: 502,
    text: 'The identity provider sent a response that is not valid, so you were not signed in. Please tell the operator.',
  },
  NOT_CONNECTED: {
    status: 403,
    text:
      'This account does not belong to an organizer yet. Ask an owner for an invitation; once you are signed in with it, ' +
      'connect your account.',
  },
  OF_ANOTHER: { status: 409, text: 'This account belongs to another organizer.' },
  ANOTHER_CONNECTED: {
    status: 409,
    text: 'You have connected another account already, which stays as it is. Disconnect it on your own page first.',
  },
  NOT_SIGNED_IN: {
    status: 403,
    text: 'To connect an account, sign in as an organizer first, and begin on your own page.',
  },
  SIGNED_IN_AS_ANOTHER: {
    status: 403,
    text:
      'Somebody else has signed in in this browser since the connection began, so no account was connected. Please begin ' +
      'again on your own page.',
  },
} as const satisfies Record<string, { status: number; text: string }>

type Reason = keyof typeof reasons

/** Nobody was signed in; the cause is for the log. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly reason: Reason
  readonly status: number

  constructor(reason: Reason, options?: ErrorOptions) {
    super(reasons[reason].text, options)
    this.reason = reason
    this.status = reasons[reason].status
  }
}

/** Runs what talks to the identity provider. @throws SignInError for any error of it, or of the connection to it */
export async function orSignInError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SignInError ? error : new SignInError(reasonOf(error), { cause: error })
  }
}

function reasonOf(error: unknown): Reason {
  const errors = errorsIn(error)
  if (errors.some((cause) => cause instanceof EgressError)) return 'PROVIDER_UNREACHABLE'
  const refuses = errors.some(
    (cause) => cause.name === 'AuthorizationResponseError' || codeOf(cause) === 'invalid_grant',
  )
  return refuses ? 'REFUSED' : 'PROVIDER_INVALID'
}

/**
 * The messages of the causes of an error, for the log: their other members may contain codes and tokens, and the message
 * of a SyntaxError quotes a response.
 */
export const describeCauses = (error: Error): string =>
  errorsIn(error.cause)
    .map((cause) => [cause instanceof SyntaxError ? cause.name : cause.message, codeOf(cause)].join(' ').trim())
    .join(': ')

/** The code of an error that the provider sent, as in RFC 6749, 5.2. */
const codeOf = (error: Error): string | undefined =>
  'error' in error && /^[a-z_]{1,64}$/.test(String(error.error)) ? String(error.error) : undefined

const errorsIn = (error: unknown): Error[] => (error instanceof Error ? [error, ...errorsIn(error.cause)] : [])
