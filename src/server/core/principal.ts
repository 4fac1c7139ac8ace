import type { Role } from '../../contract/access.ts'
import type { CredentialKind } from '../../contract/me.ts'
import { noOrganizer, noParticipant, type OrganizerId, type ParticipantId } from './ids.ts'

/**
 * A group of principals that see the same responses; a cached response belongs to an audience, never to a person.
 * `open` is every sender who is not identified, as `ACCESS` is `open`; `public` is every other sender without a key.
 */
export type Audience = 'open' | 'public' | 'participant' | 'organizer'

/** The sender of a request. */
export interface Principal {
  readonly audience: Audience
  /** The participant as whom they act; 0 for none. */
  readonly participant: ParticipantId
  /** The organizer who has signed in; 0 for none, as for keys. */
  readonly organizer: OrganizerId
  /** The roles of an organizer; none for others. */
  readonly roles: readonly Role[]
  /** The id of the credential that was sent; 0 for none. */
  readonly credential: number
  /** Its kind; '' for none. */
  readonly kind: CredentialKind | ''
  /** Where its secret is sent; '' for none. */
  readonly place: Place | ''
  /** The rights of an app in the name of its users, all of whom share one secret URL. */
  readonly app?: AppScope
}

/** The only place of a request in which a credential is accepted. */
export type Place = 'header' | 'cookie' | 'path'

/** To write new records, or also to change and delete those of participants. */
export type AppScope = 'create' | 'change'

const withoutCredential = {
  participant: noParticipant,
  organizer: noOrganizer,
  roles: [],
  credential: 0,
  kind: '',
  place: '',
} as const

/** The browser and network of a sender, for the limits of codes. */
export interface Client {
  /** The secret of its browser (`auth/cookies.ts`); undefined for none. */
  readonly browser: string | undefined
  /** Its address or network; '' if it is not known. */
  readonly network: string
}

/** That of all clients for which a trusted proxy sends something that is no address. */
export const unreadableNetwork = 'unreadable'

/** Where nothing depends on it. */
export const unknownClient: Client = { browser: undefined, network: '' }

/** Anyone, where `ACCESS` is `open`: may act as any participant, but not as an organizer. */
export const anyone: Principal = { audience: 'open', ...withoutCredential }

/** The operator, who runs commands. */
export const operator: Principal = { ...anyone, roles: ['owner'] }

/** A sender without a key, of a request that asks for one. */
export const visitor: Principal = { audience: 'public', ...withoutCredential }

/** Those whose responses are for some only. */
export type PrivateAudience = 'participant' | 'organizer'

export const isPrivate = (audience: Audience): audience is PrivateAudience =>
  audience === 'participant' || audience === 'organizer'

/** Whether this audience sees the e-mail addresses, mobile and employee numbers of all participants. */
export const seesContacts = (audience: Audience): boolean => audience === 'open' || audience === 'organizer'

/** For whom a response is: everyone with the same viewer reads the same at a URL. */
export interface Viewer {
  readonly audience: Audience
  /** The base of the absolute links in the response; never holds a credential. */
  readonly baseUrl: string
  /** In links to images and files, whose loaders send no header; `''` where these are for anyone. */
  readonly mediaKey: string
}
