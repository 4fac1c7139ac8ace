import Type from 'typebox'
import { Timestamp } from './envelope.ts'
import { Id, operation, pageOf, record, Text } from './operation.ts'
import { WireId } from './records.ts'

const idOf = (description: string) => Type.Unsafe<string>({ ...WireId, description })

/** A row of the change log: ids, and names that the server chose. An id of `0` means none. */
export const LoggedChange = record({
  id: WireId,
  created_at: Timestamp,
  kind: Type.String({ description: 'The kind of record, and the change to it.', examples: ['topic.deleted'] }),
  record_id: idOf('The record that was changed.'),
  topic_id: idOf('The topic to which a comment, like or file belongs.'),
  participant_id: idOf('The participant in whose name the change was made.'),
  credential_id: idOf('The key or session with which it was made.'),
  organizer_id: idOf('The organizer to whom the key or session belongs.'),
  request_id: Type.String({ description: 'The `Request-Id` of the request, or the name of a command.' }),
})

const time = (description: string) =>
  Text({
    limit: 'text',
    description: `${description} In the time zone of the server, unless an offset follows.`,
    examples: ['2030-05-01', '2030-05-01T09:00Z'],
  })

export const audit = {
  listChanges: operation({
    method: 'GET',
    path: '/api/changes/{offset}/{limit}',
    tag: 'Organizers',
    summary: 'List the changes in the log',
    description: 'The changes that match all given filters, newest first.',
    access: { organizers: 'owner' },
    params: record(pageOf('change')),
    query: Type.Partial(
      record({
        kind: Text({
          limit: 'text',
          description: 'A kind of change, or a kind of record for all of its changes.',
          examples: ['topic.deleted', 'credential'],
        }),
        record_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The changed record.' }),
        participant_id: Id('participant', 'The participant in whose name the change was made.'),
        organizer_id: Id('organizer', 'The organizer who made the change.'),
        credential_id: Id('credential', 'The key or session with which the change was made.'),
        since: time('The earliest time of a change.'),
        before: time('The time before which the change was made.'),
      }),
      { additionalProperties: false },
    ),
    data: record({ changes: Type.Array(LoggedChange) }),
    fails: [],
  }),
}
