/** Ids are integers, strings on the wire, and told apart by type: a comment's is never taken for a topic's. */
type Branded<Name extends string> = number & { readonly brand: Name }

export type TopicId = Branded<'topic'>
export type CommentId = Branded<'comment'>
export type FileId = Branded<'file'>
export type EventId = Branded<'event'>
export type ParticipantId = Branded<'participant'>

/** Stands where a participant is not named. */
export const nobody = 0 as ParticipantId

/** Stands where an event is not named. */
export const noEvent = 0 as EventId

/** Which id each parameter and member of the contract is. */
interface IdByName {
  topic_id: TopicId
  comment_id: CommentId
  file_id: FileId
  file_Id: FileId
  id: EventId
  program_id: EventId
  participant_id: ParticipantId
  participantId: ParticipantId
  created_by: ParticipantId
  updated_by: ParticipantId
}

/** The same object, with the ids in it told apart. */
export type WithIds<T> = { [K in keyof T]: K extends keyof IdByName ? IdByName[K] : T[K] }
