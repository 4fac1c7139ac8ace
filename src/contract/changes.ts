/** Every `kind` of row in the change log. */
export const changeKinds = [
  'summit.created',
  'topic.created',
  'topic.updated',
  'topic.deleted',
  'topic.restored',
  'topic.liked',
  'topic.unliked',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'comment.restored',
  'file.deleted',
  'event.created',
  'event.updated',
  'event.cancelled',
  'event.deleted',
  'feedback.added',
  'feedback.deleted',
  'participant.created',
  'participant.updated',
  'participant.deleted',
  'participant.forgotten',
  'credential.created',
  'credential.revoked',
] as const

export type ChangeKind = (typeof changeKinds)[number]
