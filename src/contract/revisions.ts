import Type, { type Static, type TSchema } from 'typebox'
import { Id, operation, pageOf, record } from './operation.ts'
import { WireId } from './records.ts'

// Additions to the interface specification: what has changed of the program, for attendees and for its editors, and undo.

/** The changes of an event that a release shows. */
export const eventChanges = ['new', 'cancelled', 'restored', 'moved', 'retitled', 'speakers'] as const

/** The origins of a revision. */
export const revisionKinds = ['import', 'edit', 'publication', 'undo'] as const

/** What an undo does with a record. */
export const undoChanges = ['removed', 'restored', 'returned', 'blocked', 'stays', 'gone'] as const

/** What a revision consists of. */
export const revisedKinds = ['event', 'participant', 'speaker', 'track', 'room', 'conference'] as const

const orNull = <S extends TSchema>(schema: S, description: string) => Type.Union([schema, Type.Null()], { description })
const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2030-05-02T09:00:00+02:00'] })

/** When and where an event took place, or does. */
const Slot = record({
  starts_at: orNull(time('In the zone of the conference.'), 'Null for none.'),
  ends_at: orNull(time('Likewise.'), 'Likewise.'),
  room: orNull(Type.String(), 'The name that the room has by now; null for none, and for one that was removed.'),
})

/** What a release changes of an event that attendees see. */
export const ReleasedEvent = record({
  event_id: WireId,
  title: Type.String({ description: 'As it is by now.' }),
  changes: Type.Array(Type.Enum([...eventChanges]), { minItems: 1 }),
  from: Type.Optional(Slot),
  to: Type.Optional(Slot),
})
export type ReleasedEvent = Static<typeof ReleasedEvent>

/** Another name of a room or track. */
const Renamed = record({ id: WireId, from: Type.String(), to: Type.String() })

/** What attendees see changed at once. */
export const Release = record({
  id: WireId,
  at: time('In the zone of the conference.'),
  note: Type.String({ description: 'What the organizers say about it, as plain text.' }),
  is_undone: Type.Boolean({ description: 'Whether a later release takes it back. Its note is empty then.' }),
  is_first: Type.Boolean({
    description: 'Whether no event was public before. All of them are new then, and are not listed.',
  }),
  events: Type.Array(ReleasedEvent, { description: 'With `from` and `to` if they moved.' }),
  rooms: Type.Array(Renamed),
  tracks: Type.Array(Renamed),
})
export type Release = Static<typeof Release>

/** A change of the program, or of participants, that was made at once. */
export const Revision = record({
  id: WireId,
  kind: Type.Enum([...revisionKinds]),
  command: Type.String({ description: 'The command or operation.', examples: ['publish'] }),
  file: Type.String({ description: 'The name of an imported file or folder.' }),
  at: time('In the zone of the conference.'),
  organizer: orNull(Type.String(), 'The e-mail address of the organizer; null for the operator, and for a key.'),
  note: Type.String({ description: 'What organizers say about it, as plain text.' }),
  records: Type.Integer({ minimum: 0, description: 'The records that it changed; 0 once it is undone.' }),
  title: Type.String({
    description:
      'The title or name, by now, of the one record that it changed; empty for several, and for a participant.',
  }),
  undoes: orNull(WireId, 'The revision that it undoes.'),
  is_undone: Type.Boolean(),
  is_undoable: Type.Boolean({
    description: 'Whether `undoRevision` may undo it: what changes participants, only a command.',
  }),
  is_release: Type.Boolean({ description: 'Whether it changed something that the list of releases names.' }),
})
export type Revision = Static<typeof Revision>

/** What undoing a revision does with a record. */
export const PlannedUndo = record({
  kind: Type.Enum([...revisedKinds]),
  id: WireId,
  text: Type.String({ examples: ['session 7 “Small boats”'] }),
  change: Type.Enum([...undoChanges]),
  reason: orNull(Type.String(), 'Why it is blocked, or stays.'),
  differences: Type.Array(Type.String(), { description: 'What gets its former value.' }),
})

export const revisions = {
  listReleases: operation({
    method: 'GET',
    path: '/api/program/releases/{offset}/{limit}',
    tag: 'Program',
    summary: 'List what has changed in the program',
    description: 'Newest first. What is no longer public is left out.',
    access: { readers: 'anyone' },
    params: record(pageOf('revision')),
    data: record({ releases: Type.Array(Release) }),
    fails: [],
  }),
  listRevisions: operation({
    method: 'GET',
    path: '/api/program/revisions/{offset}/{limit}',
    tag: 'Editing',
    summary: 'List the changes that can be undone',
    description: 'Newest first, with those that were undone.',
    access: { organizers: 'editor' },
    params: record(pageOf('revision')),
    query: Type.Partial(
      record({
        kind: Type.Enum([...revisionKinds], { description: 'Only those of this origin.', examples: ['import'] }),
      }),
      { additionalProperties: false },
    ),
    data: record({ revisions: Type.Array(Revision) }),
    fails: [],
  }),
  planUndo: operation({
    method: 'GET',
    path: '/api/program/revisions/{id}/undo',
    tag: 'Editing',
    summary: 'See what undoing a revision would do',
    access: { organizers: 'editor' },
    params: record({ id: Id('revision', 'The revision.') }),
    data: record({ revision: Revision, records: Type.Array(PlannedUndo) }),
    fails: ['REVISION_NOT_FOUND', 'FORBIDDEN'],
  }),
  undoRevision: operation({
    method: 'POST',
    path: '/api/program/revisions/{id}/undo',
    tag: 'Editing',
    summary: 'Undo a revision',
    description:
      'Nothing is undone if records are blocked, as they were changed since: the failure names them. Undoing a publication ' +
      'keeps its events as drafts. The undo is a revision, and can be undone.',
    access: { organizers: 'editor' },
    params: record({ id: Id('revision', 'The revision.') }),
    body: record({
      keep_changed: Type.Optional(
        Type.Boolean({ description: 'Whether to leave blocked records as they are, and undo the others.' }),
      ),
    }),
    data: record({
      revision_id: Type.Union([WireId, Type.Null()], { description: 'With which it can be undone; null for nothing.' }),
    }),
    fails: ['REVISION_NOT_FOUND', 'UNDO_BLOCKED'],
  }),
}
