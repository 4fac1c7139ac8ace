import type { Input, OperationName, Operations } from '../../contract/index.ts'
import type { IdSchema, Operation, RecordKind } from '../../contract/operation.ts'

/**
 * Ids are integers, and strings on the wire. Each kind has its own type: a comment's id is not assignable to a topic's.
 */
type IdOf<Kind extends RecordKind> = number & { readonly brand: Kind }

export type TopicId = IdOf<'topic'>
export type CommentId = IdOf<'comment'>
export type FileId = IdOf<'file'>
export type EventId = IdOf<'event'>
export type RoomId = IdOf<'room'>
export type TrackId = IdOf<'track'>
export type SpeakerId = IdOf<'speaker'>
export type ParticipantId = IdOf<'participant'>
export type OrganizerId = IdOf<'organizer'>
export type CredentialId = IdOf<'credential'>
export type PasskeyId = IdOf<'passkey'>

/** Used where no participant is given. */
export const noParticipant = 0 as ParticipantId

/** Used where no organizer is given. */
export const noOrganizer = 0 as OrganizerId

/** Used where no passkey is given. */
export const noPasskey = 0 as PasskeyId

/** Used where no event is given. */
export const noEvent = 0 as EventId

/** The type of what this schema accepts, if that is an id or a list of ids. */
type WithIds<S, Otherwise> =
  S extends IdSchema<infer Kind>
    ? IdOf<Kind>
    : S extends { items: IdSchema<infer Kind> }
      ? readonly IdOf<Kind>[]
      : Otherwise

type SchemasOf<O extends Operation> = O['params']['properties'] &
  NonNullable<O['query']>['properties'] &
  NonNullable<O['body']>['properties']

/** The input of an operation, its ids typed by the records that they identify. */
export type InputWithIds<N extends OperationName> = {
  [K in keyof Input<N>]: K extends keyof SchemasOf<Operations[N]>
    ? WithIds<SchemasOf<Operations[N]>[K], Input<N>[K]>
    : Input<N>[K]
}
