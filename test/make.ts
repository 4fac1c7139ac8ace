import { join } from 'node:path'
import type { Request } from '../src/client/client.ts'
import type { Comment, Topic } from '../src/contract/newsfeed.ts'
import type { RecordKind } from '../src/contract/operation.ts'
import type { EventId, ParticipantId, RoomId, SpeakerId, TrackId } from '../src/server/core/ids.ts'
import { addParticipant } from '../src/server/domains/participants/participants.ts'
import { addEvent, type NewEvent } from '../src/server/domains/program/events.ts'
import type { Projection } from '../src/server/domains/program/projection.ts'
import { addRecord, listRecords, type NewProgramRecord, updateRecord } from '../src/server/domains/program/records.ts'
import type { Activity } from '../src/server/domains/program/store.ts'
import { recordRevision } from '../src/server/domains/revisions/record-revision.ts'
import { updateStars } from '../src/server/domains/stars/stars.ts'
import { commandScope, type WriteScope } from '../src/server/scope.ts'
import { becomePerson } from './access/at-personal-url.ts'
import type { TestApp } from './app.ts'
import { pixel } from './contract/examples.ts'
import { filesBelow } from './files-below.ts'

// Each function creates a record with default values for the members that a test does not set.

export async function participant(
  t: Pick<TestApp, 'ctx'>,
  values: Parameters<typeof addParticipant>[1] = {},
): Promise<number> {
  const person = { first_name: 'Ana', last_name: 'Cruz', designation: 'Engineer', ...values }
  if (await becomePerson(t.ctx, person)) return 1
  return t.ctx.database.transaction((tx) => addParticipant(commandScope(t.ctx, tx, 'test'), person))
}

/** @param values texts of a place or of speakers become a room or one speaker */
export const event = (
  t: Pick<TestApp, 'ctx'>,
  values: Partial<NewEvent & Projection> = {},
  activities: Activity[] = [],
): Promise<EventId> => t.ctx.database.transaction((tx) => eventIn(commandScope(t.ctx, tx, 'test'), values, activities))

async function eventIn(
  scope: WriteScope,
  { location_name, location_address, venue, speaker, position, company, ...values }: Partial<NewEvent & Projection>,
  activities: Activity[],
): Promise<EventId> {
  const talk = { title: 'Opening', date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:00:00', ...values }
  const hasPlace = Boolean(location_name || location_address || venue)
  const address = location_address ?? ''
  const place = venue
    ? { name: venue, building: location_name ?? '', address }
    : { name: location_name ?? '', building: null, address }
  const person = { name: speaker ?? '', position: position ?? '', company: company ?? '' }
  const room_id = hasPlace && ((await addRecord(scope, 'room', place)) as RoomId)
  const hasSpeaker = Object.values(person).some(Boolean)
  const speakers = hasSpeaker ? [(await addRecord(scope, 'speaker', person)) as SpeakerId] : []
  return addEvent(scope, { ...talk, ...(room_id && { room_id }), speakers }, activities)
}

/** An event with a revision, of which attendees read. */
async function importedEvent(t: Pick<TestApp, 'ctx'>, ...given: [Partial<NewEvent & Projection>, Activity[]]) {
  let id = 0 as EventId
  await t.ctx.database.transaction((tx) => {
    const scope = commandScope(t.ctx, tx, 'test')
    const write = async () => {
      id = await eventIn(scope, ...given)
      return id
    }
    return recordRevision(scope, { kind: 'import', command: 'import program' }, [
      { kind: 'event', id: undefined, write },
    ])
  })
  return id
}

export const track = (t: Pick<TestApp, 'ctx'>, values: Partial<NewProgramRecord<'track'>> = {}): Promise<TrackId> =>
  t.ctx.database.transaction(
    async (tx) =>
      (await addRecord(commandScope(t.ctx, tx, 'test'), 'track', { name: 'Security', ...values })) as TrackId,
  )

export async function topic(t: TestApp, values: Partial<Request<'createTopic'>> = {}): Promise<Topic> {
  return only((await t.client.createTopic({ name: 'Lunch is served', created_by: 1, ...values })).NewsFeed)
}

export async function comment(
  t: TestApp,
  values: Pick<Request<'createComment'>, 'topic_id'> & Partial<Request<'createComment'>>,
): Promise<Comment> {
  return only((await t.client.createComment({ comment: 'On my way', created_by: 1, ...values })).comments)
}

/** In a command, since where ACCESS is open no participant signs in and there is no such request. */
export async function star(
  t: Pick<TestApp, 'ctx'>,
  { participant, event }: { participant: number; event: number },
): Promise<void> {
  await t.ctx.database.transaction((tx) => {
    const scope = commandScope(t.ctx, tx, 'test')
    const principal = { ...scope.principal, participant: participant as ParticipantId }
    return updateStars({ ...scope, principal }, { add: [event as EventId] })
  })
}

async function conference(t: Pick<TestApp, 'ctx'>, title: string): Promise<void> {
  const exists = (await listRecords(t.ctx.database.read, 'conference')).length > 0
  await t.ctx.database.transaction(async (tx) => {
    const scope = commandScope(t.ctx, tx, 'test')
    if (exists) await updateRecord(scope, 'conference', 1, { title })
    else await addRecord(scope, 'conference', { title })
  })
}

/**
 * One record of each kind. Kinds with an author are by `author` and contain `text`; events and activities contain
 * `title`.
 * @returns the ids of those that requests name
 */
export async function oneOfEach(
  t: Pick<TestApp, 'ctx' | 'client'>,
  author: number,
  { text = 'Lunch is served', title = text }: { text?: string; title?: string } = {},
) {
  const { client } = t
  // A file name has no line breaks.
  const name = `${text.replaceAll(/\s/g, ' ')}.png`
  const uploaded_files = [{ name, fileType: 'image/png', data: pixel }, 'https://cdn.summit.example/a.pdf']
  await conference(t, title)
  // The same in every test, so that apps can be compared.
  const guid = 'c7b2b7b0-0000-4000-8000-000000000001'
  const track_id = await track(t, { name: title })
  const program_id = await importedEvent(t, { title, guid, track_id, location_name: title, speaker: title }, [
    { date: '2030-05-02', time: '09:00:00', title },
  ])
  const { NewsFeed } = await client.createTopic({ name: text, body: text, created_by: author, uploaded_files })
  const { id, content } = only(NewsFeed)
  const topic_id = Number(id)
  const { comments } = await client.createComment({ topic_id, comment: text, created_by: author, uploaded_files })
  // Only participants like.
  if (author !== 0) await client.likeTopic({ topic_id, created_by: author })
  const feedback = { quality: text, rating: text, relevance: text, expectation: text, comments: text }
  await client.addFeedback({ participant_id: author, created_by: author, program_id, ...feedback })
  if (author !== 0) await star(t, { participant: author, event: program_id })
  return {
    participant: author,
    event: program_id,
    topic: topic_id,
    comment: Number(only(comments).id),
    file: Number(content.uploaded_files[0]?.id),
  } satisfies Partial<Record<RecordKind, number>>
}

/** The element of an array that must have exactly one. */
export function only<T>(elements: readonly T[]): T {
  const [first] = elements
  if (first === undefined || elements.length !== 1) throw new Error(`expected one element, found ${elements.length}`)
  return first
}

/** The `response_code` of `client.call`. */
export const codeOf = async (response: Promise<{ envelope: { response_code: number } }>): Promise<number> =>
  (await response).envelope.response_code

/** The object in an envelope, and the headers of the response. */
interface Reply {
  response_code: number
  data: unknown
  system: { created_at: string; message: string }
  headers: Headers
}

/** Sends requests that the types of the client do not allow. A string is sent with a JSON content type. */
export async function send(
  t: Pick<TestApp, 'url'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: string | FormData | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined
  const response = await fetch(t.url + path, {
    method,
    headers: { ...type, ...headers },
    ...(body !== undefined && { body }),
  })
  const [envelope] = JSON.parse(await response.text())
  return { ...envelope, headers: response.headers }
}

/** The files in the blob folder, stored or staged. */
export const blobs = (t: Pick<TestApp, 'dataDir'>): Promise<string[]> => filesBelow(join(t.dataDir, 'blobs'))
