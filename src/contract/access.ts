/** The values of the setting `ACCESS`. */
export const accessModes = ['open', 'public', 'members'] as const

export type AccessMode = (typeof accessModes)[number]

/** The roles of organizers. An owner may do what any other role may. */
export const roles = ['owner', 'editor', 'moderator', 'desk', 'reader'] as const

export type Role = (typeof roles)[number]

/** The rule of a read where `ACCESS` is `public`; where it is `members`, all participants and organizers may use it. */
export interface ReadAccess {
  readonly readers: 'anyone' | 'participants'
}

/** The rule of a write where `ACCESS` is not `open`: participants write as themselves, some organizers for anyone. */
export interface WriteAccess {
  /** The role of organizers who may write for any participant, and change the records of any. */
  readonly role: Role
  /** The members or parameters that name the participant who writes. The first is filled in if all are left out. */
  readonly actor?: readonly string[]
  /** Whether it changes a stored record, which must be the participant's own. */
  readonly changesOwn?: true
}

/** The access rule of an operation. */
export type Access = ReadAccess | WriteAccess

/** Whether nobody has to sign in for an operation. */
export const isForAnyone = (access: Access, mode: AccessMode): boolean =>
  mode === 'open' || (mode === 'public' && 'readers' in access && access.readers === 'anyone')
