/** The values of the setting `ACCESS`. */
export const accessModes = ['open', 'public', 'members'] as const

export type AccessMode = (typeof accessModes)[number]

/** The roles of organizers. An owner may do what any other role may. */
export const roles = ['owner', 'editor', 'moderator', 'desk', 'reader'] as const

export type Role = (typeof roles)[number]

/**
 * The rule of a read where `ACCESS` is `public`; where it is `members`, all participants and organizers may use it.
 * With `authors`, participants read what they are the author of, and organizers everything.
 */
export interface ReadAccess {
  readonly readers: 'anyone' | 'participants' | 'authors'
}

interface AnyWriteAccess {
  /** The role of organizers who may write for any participant, and change the records of any. */
  readonly role: Role
  /** The members or parameters that name the participant who writes. The first is filled in if all are left out. */
  readonly actor?: readonly string[]
  /** Whether it changes a stored record, which must be the participant's own. */
  readonly changesOwn?: true
}

/**
 * The rule of a write where `ACCESS` is not `open`: participants write as themselves, some organizers for anyone. A rule
 * that neither names the participant nor requires their own record would authorize every participant for every record.
 */
export type WriteAccess = AnyWriteAccess & ({ readonly actor: readonly string[] } | { readonly changesOwn: true })

/**
 * The accounts with which people sign in, or have, for an operation: any, or those of participants. Where `ACCESS` is `open`, organizers sign in and
 * participants do not, so what is for participants only does not exist.
 */
export type Account = 'anyone' | 'participants'

/** The rule of an operation on what is stored about the person who is signed in. Its responses are never cached. */
export interface OwnAccess {
  readonly own: Account
  /** Whether a personal URL may use it, too, which more than its owner know, such as proxies. */
  readonly atSecretUrl?: true
  /** Present if it is only for organizers in a browser: with a key, nobody gets further ways to sign in. */
  readonly session?: 'organizer'
}

/** The rule of an operation that only organizers with this role may use, or any. Its responses are never cached. */
export interface OrganizerAccess {
  readonly organizers: Role | 'any'
  /** Present if it gives somebody a way to sign in as a participant. */
  readonly letsSignIn?: 'participants'
}

/**
 * The rule of an operation with which anyone signs in or out. Its response sets the cookie of a session, or has its
 * secret, and is never stored for retries.
 */
export interface SignInAccess {
  readonly signIn: Account
}

/** The values of the setting `FEEDBACK_READERS`. */
export const feedbackReaders = ['organizers', 'participants'] as const

/** The rules of operations of the interface specification, and of further reads for everyone. */
export type SpecifiedAccess = ReadAccess | WriteAccess

/** The access rule of an operation. */
export type Access = SpecifiedAccess | OwnAccess | OrganizerAccess | SignInAccess

/** Whether it is the rule of an operation that exists in every mode. */
export const isSpecified = (access: Access): access is SpecifiedAccess => 'readers' in access || 'role' in access

/** Whether the rate of a write is limited: that of participants and apps is, but not of organizers, nor of a sign-in. */
export const hasWriteBudget = (access: Access): boolean =>
  'role' in access || ('own' in access && access.session !== 'organizer')

/** Whether an operation exists in a mode: those about participants who sign in only where participants do. */
export const existsIn = (access: Access, mode: AccessMode): boolean =>
  mode !== 'open' || isSpecified(access) || accountOf(access) === 'anyone'

function accountOf(access: Exclude<Access, SpecifiedAccess>): Account {
  if ('own' in access) return access.own
  return 'signIn' in access ? access.signIn : (access.letsSignIn ?? 'anyone')
}

/**
 * Whether the sender of a request is identified. Where `ACCESS` is `open`, operations of the interface specification
 * ignore credentials.
 */
export const identifiesSender = (access: Access, mode: AccessMode): boolean => mode !== 'open' || !isSpecified(access)

/** Whether nobody has to sign in for an operation. */
export const isForAnyone = (access: Access, mode: AccessMode): boolean =>
  !identifiesSender(access, mode) ||
  'signIn' in access ||
  (mode === 'public' && 'readers' in access && access.readers === 'anyone')
