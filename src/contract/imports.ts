import Type, { type Static } from 'typebox'
import { operation, record, Text } from './operation.ts'
import { WireId } from './records.ts'
import { filePart } from './uploads.ts'

// Additions to the interface specification: files are imported by request. A plan says what a file would change; it is
// applied by sending the file again with the hash of the plan, so nothing is stored in between.

/** The effects of an import on a session. */
export const programChanges = ['new', 'moved', 'retitled', 'changed', 'cancelled', 'unchanged'] as const

export const participantChanges = ['new', 'changed', 'unchanged'] as const

export const partKinds = ['conference', 'room', 'track', 'speaker'] as const

/** Why a line of a file is remarked on: something of it is missing, was assumed, or is not used. */
export const remarkKinds = ['skipped', 'assumed', 'unused'] as const

/** The most rows or names that a request can have: a form has at most 1,000 fields. */
export const maxListed = 900

const row = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Its number in the plan.' })

const count = Type.Integer({ minimum: 0 })

const differences = Type.Array(Type.String(), { description: 'As people read them: `start 09:00 → 10:00`.' })

export const PlannedSession = record({
  row,
  change: Type.Enum([...programChanges]),
  event_id: Type.Union([WireId, Type.Null()], { description: 'The event that it is; null for a new one.' }),
  title: Type.String(),
  where_and_when: Type.String({ description: 'Its room and start, for display.' }),
  is_cancelled: Type.Boolean({ description: 'Whether the file has it as cancelled.' }),
  differences,
  line: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Where it is in the file; null if it is missing there.',
  }),
  is_reverted: Type.Boolean({
    description: 'Whether it was changed after the spreadsheet was written, and would get its values.',
  }),
  is_edited: Type.Boolean({
    description:
      'Whether organizers have changed it since it was last imported, which the file would take back. Not so if the file was ' +
      'exported since.',
  }),
  has_draft: Type.Boolean({
    description:
      'Whether editors have changed something of it that is not published. Of that stays what the file does not change.',
  }),
})

export const PlannedPart = record({
  kind: Type.Enum([...partKinds]),
  change: Type.Enum(['new', 'changed']),
  name: Type.String({ description: 'Empty for the conference.' }),
  differences,
})

export const Remark = record({
  line: Type.Integer({ minimum: 1 }),
  kind: Type.Enum([...remarkKinds]),
  message: Type.String(),
})

const Unused = record({
  name: Type.String({ description: 'A heading, or a member with what it belongs to.' }),
  count: Type.Integer({ minimum: 1, description: 'How many of them are not empty.' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why; null if there is no place for them.' }),
})

const ClashingSession = record({ title: Type.String(), starts_at: Type.String(), ends_at: Type.String() })

const hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'Of the file, the options and the program as it is: with it, the plan can be applied.',
  examples: ['0'.repeat(64)],
})

/** Everything that `summit import program` prints. */
export const ImportPlan = record({
  hash,
  format: Type.String({ examples: ['frab schedule.json'] }),
  days: Type.Array(Type.String(), { description: '`YYYY-MM-DD`' }),
  room_count: count,
  date_reading: Type.Union([Type.String(), Type.Null()], {
    description: 'How dates were read that can be read in several ways.',
  }),
  without_id: Type.Integer({ minimum: 0, description: 'The sessions that can only be recognized by their values.' }),
  counts: Type.Object(
    Object.fromEntries(programChanges.map((change) => [change, count])) as Record<
      (typeof programChanges)[number],
      typeof count
    >,
    { additionalProperties: false, description: 'How many sessions have each change.' },
  ),
  sessions: Type.Array(PlannedSession),
  parts: Type.Array(PlannedPart, { description: 'What else is new or changed.' }),
  conference_left_alone: Type.Array(Type.String(), {
    description:
      'What the file says of the conference, if that stays as it is, since it has sessions of other programs.',
  }),
  left_alone: Type.Integer({ minimum: 0, description: 'Stored sessions that the file does not speak for.' }),
  with_shared_id: Type.Array(record({ title: Type.String(), id: Type.String() }), {
    description: 'Sessions with the id of one that is left alone. They are taken for others.',
  }),
  same_program: Type.Union([record({ source: Type.String(), count, all: count }), Type.Null()], {
    description: 'Another program that has so many of all the new sessions, which would be listed twice.',
  }),
  clashes: Type.Array(
    record({
      kind: Type.Enum(['room', 'speaker']),
      name: Type.String(),
      sessions: Type.Array(ClashingSession, { minItems: 2, maxItems: 2 }),
    }),
  ),
  losses: record({
    stored: count,
    missing: count,
    replaced: count,
    days_left_out: Type.Array(record({ day: Type.String(), sessions: count })),
    is_unrelated: Type.Boolean({ description: 'Whether the file has none of the stored sessions.' }),
    needs_replace: Type.Boolean({ description: 'Whether it is applied only with `replace`, or in chosen rows.' }),
  }),
  remarks: Type.Array(Remark),
  unused: Type.Array(Unused, { description: 'What else the file has, the most frequent first.' }),
})
export type ImportPlan = Static<typeof ImportPlan>

const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [false] }))

const text = (description: string, examples: string[], format?: 'local-day' | 'zone') =>
  Type.Optional(
    format ? Type.String({ format, description, examples }) : Text({ limit: 'text', description, examples }),
  )

const plannedParticipant = record({
  row,
  change: Type.Enum([...participantChanges]),
  participant_id: Type.Union([WireId, Type.Null()], { description: 'Null for a new one.' }),
  name: Type.String({ description: 'With the address or number, for display.' }),
  differences,
  line: Type.Integer({ minimum: 1 }),
})

/**
 * Everything that `summit import participants` prints. Its values of people are for the desk, who may read all of every
 * participant, and are not stored: no revision has a plan, nor has a stored response.
 */
const participantsPlan = record({
  hash,
  counts: Type.Object(
    Object.fromEntries(participantChanges.map((change) => [change, count])) as Record<
      (typeof participantChanges)[number],
      typeof count
    >,
    { additionalProperties: false, description: 'How many participants have each change.' },
  ),
  participants: Type.Array(plannedParticipant),
  erased_count: Type.Integer({
    minimum: 0,
    description: 'How many were erased since the last import. If the file still has them, they are among the new ones.',
  }),
  remarks: Type.Array(Remark),
  unused: Type.Array(Unused),
})
export type ParticipantsPlan = Static<typeof participantsPlan>

const participantsFile = {
  ...filePart,
  encoding: text('The encoding of the file; by default, as it says, or else UTF-8.', ['']),
  same_person: flag('Rows with another address than the participant with their number or name are that person.'),
}

const ofPlan = {
  hash: Text({ limit: 'text', required: true, description: 'That of the plan.', examples: ['0'.repeat(64)] }),
  only: Type.Optional(
    Type.Array(row, {
      uniqueItems: true,
      maxItems: maxListed,
      description: `The rows of the plan to apply, at most ${maxListed}, with their rooms, tracks and speakers; by default, all.`,
      examples: [[]],
    }),
  ),
}

export const undoable = record({
  revision_id: Type.Union([WireId, Type.Null()], { description: 'With which it can be undone; null for nothing.' }),
})

const programFile = {
  ...filePart,
  source: text('The name of the program, if the summit has several; by default, `program`.', ['program']),
  time_zone: text('The zone of a file that names none; by default, that of the summit.', ['Europe/Berlin'], 'zone'),
  first_day: text('The first day of the conference, for a file with days such as “Thursday”.', [''], 'local-day'),
  dates: Type.Optional(
    Type.Enum(['day-first', 'month-first', 'year-first'], {
      description: 'How to read dates such as 03/04/2030; by default, as the file says.',
      examples: ['day-first'],
    }),
  ),
  encoding: text('The encoding of the file, such as windows-1250; by default, as it says, or else UTF-8.', ['']),
  only_days: flag('The file speaks only for the days that it has: sessions of other days are left alone.'),
  partial: flag('The file speaks only for the sessions that it has: all others are left alone.'),
  draft: flag('Sessions become drafts, which only editors see until they publish them.'),
}

export const imports = {
  planImport: operation({
    method: 'POST',
    path: '/api/program/import/plan',
    tag: 'Editing',
    summary: 'Plan the import of a program',
    description: 'Says what a file would change, and changes nothing.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record(programFile),
    data: record({ plan: ImportPlan }),
    fails: ['NOT_A_PROGRAM'],
  }),
  applyImport: operation({
    method: 'POST',
    path: '/api/program/import/apply',
    tag: 'Editing',
    summary: 'Import a program',
    description:
      'The file and the options of a plan again, with its hash. If the program has changed since, nothing is imported, and ' +
      'the failure has the present plan.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record({
      ...programFile,
      ...ofPlan,
      replace: flag('The file is the whole program, however much the stored one loses.'),
    }),
    data: undoable,
    fails: ['NOT_A_PROGRAM', 'EVENT_CHANGED'],
  }),
  planParticipantsImport: operation({
    method: 'POST',
    path: '/api/participants/import/plan',
    tag: 'Organizers',
    summary: 'Plan the import of participants',
    description: 'Says what a spreadsheet, an Excel workbook (.xlsx) or CSV, would change, and changes nothing.',
    access: { organizers: 'desk', letsSignIn: 'participants' },
    params: record({}),
    body: record(participantsFile),
    data: record({ plan: participantsPlan }),
    fails: [],
  }),
  applyParticipantsImport: operation({
    method: 'POST',
    path: '/api/participants/import/apply',
    tag: 'Organizers',
    summary: 'Import participants',
    description:
      'The file and the options of a plan again, with its hash. If the participants have changed since, nothing is imported, ' +
      'and the failure has the present plan. Only an owner changes the address of a participant who holds a key with roles.',
    access: { organizers: 'desk', letsSignIn: 'participants' },
    params: record({}),
    body: record({ ...participantsFile, ...ofPlan }),
    data: undoable,
    fails: ['EVENT_CHANGED'],
  }),
}
