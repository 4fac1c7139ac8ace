import type { Input, OperationName, Operations } from '../../contract/index.ts'
import type { IdSchema, Operation, RecordKind } from '../../contract/operation.ts'

/** Ids are integers, and strings on the wire. Each kind has its own type: a comment's id is not assignable to a topic's. */
type Branded<Name extends RecordKind> = number & { readonly brand: Name }

export type TopicId = Branded<'topic'>
export type CommentId = Branded<'comment'>
export type FileId = Branded<'file'>
export type EventId = Branded<'event'>
export type ParticipantId = Branded<'participant'>

/** Used where no participant is given. */
export const noParticipant = 0 as ParticipantId

/** Used where no event is given. */
export const noEvent = 0 as EventId

interface IdOfKind {
  topic: TopicId
  comment: CommentId
  file: FileId
  event: EventId
  participant: ParticipantId
}

type SchemasOf<O extends Operation> = O['params']['properties'] & NonNullable<O['body']>['properties']

/** The input of an operation, its ids typed by the records that they identify. */
export type InputWithIds<N extends OperationName> = {
  [K in keyof Input<N>]: K extends keyof SchemasOf<Operations[N]>
    ? SchemasOf<Operations[N]>[K] extends IdSchema<infer Kind>
      ? IdOfKind[Kind]
      : Input<N>[K]
    : Input<N>[K]
}
