import type { ChangeKind } from '../../../contract/changes.ts'
import type { Dependency } from '../../operation.ts'
import type { TopicChangeKind } from './log.ts'

/** The columns of the change log that matter here. `parent_id` is the topic of a comment, like or file. */
interface LoggedChange {
  kind: string
  record_id: number
  parent_id: number
}

/** Only changes of these kinds have a topic in the log. */
type AffectedTopic = 'topic and order' | 'topic'

const affectedBy: {
  [K in ChangeKind]: K extends TopicChangeKind ? AffectedTopic : Dependency[] | 'credential' | 'everything'
} = {
  'summit.created': 'everything',
  'summit.restored': 'everything',
  'topic.created': 'topic and order',
  'topic.updated': 'topic',
  'topic.deleted': 'topic and order',
  'topic.restored': 'topic and order',
  'topic.liked': 'topic',
  'topic.unliked': 'topic',
  'comment.created': 'topic',
  'comment.updated': 'topic',
  'comment.deleted': 'topic',
  'comment.restored': 'topic',
  'file.deleted': 'topic',
  'event.created': ['program'],
  'event.updated': ['program'],
  // What is published stays the same.
  'event.drafted': ['drafts'],
  'event.cancelled': ['program'],
  'event.deleted': ['program'],
  'program.published': ['program'],
  'conference.updated': ['program'],
  'room.created': ['program'],
  'room.updated': ['program'],
  'room.deleted': ['program'],
  'track.created': ['program'],
  'track.updated': ['program'],
  'track.deleted': ['program'],
  'speaker.created': ['program'],
  'speaker.updated': ['program'],
  'speaker.deleted': ['program'],
  'stars.updated': [],
  'speaker.erased': ['program'],
  'feedback.added': ['feedback'],
  'feedback.deleted': ['feedback'],
  'participant.created': ['participants'],
  'participant.updated': ['participants'],
  'participant.deleted': ['participants', 'credentials'],
  // With everything that they have posted.
  'participant.forgotten': 'everything',
  'participant.anonymized': 'everything',
  'participant.files_erased': 'everything',
  'sharing.updated': ['participants'],
  'sharing.withdrawn': ['participants'],
  'sharing.hidden': ['participants'],
  'credential.created': [],
  'credential.revoked': 'credential',
  'media_key.rotated': ['media key'],
  // An invitation, with which no request is sent.
  'credential.redeemed': [],
  // A session lasts longer than the passkey with which it was started.
  'passkey.created': [],
  'passkey.removed': [],
  // The address with which a participant signs in.
  'login.changed': [],
  'organizer.created': [],
  'organizer.updated': ['credentials'],
  'organizer.removed': ['credentials'],
  // Organizers who connect or disconnect an identity stay signed in.
  'organizer.connected': [],
  'organizer.disconnected': [],
}

/** The parts that a change affects. An unknown kind, which a newer version may have written, affects everything. */
export function dependenciesChangedBy({ kind, record_id, parent_id }: LoggedChange): Dependency[] | 'everything' {
  const affected = Object.hasOwn(affectedBy, kind) ? affectedBy[kind as ChangeKind] : 'everything'
  switch (affected) {
    case 'everything':
      return affected
    case 'topic and order':
      return ['topics', 'order of topics', `topic ${parent_id}`]
    case 'topic':
      return ['topics', `topic ${parent_id}`]
    case 'credential':
      return [`credential ${record_id}`]
    default:
      return affected
  }
}
