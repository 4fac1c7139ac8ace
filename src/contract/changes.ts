/** Every `kind` of row in the change log. */
export const changeKinds = [
  'summit.created',
  'topic.created',
  'topic.updated',
  'topic.deleted',
  'topic.liked',
  'topic.unliked',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'file.deleted',
  'event.created',
  'event.updated',
  'event.cancelled',
  'feedback.added',
  'participant.created',
  'participant.updated',
] as const

export type ChangeKind = (typeof changeKinds)[number]
