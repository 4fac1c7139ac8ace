import { defaultLimits } from '../contract/limits.ts'
import type { Context } from '../server/context.ts'
import {
  type EventId,
  noParticipant,
  type ParticipantId,
  type RoomId,
  type SpeakerId,
  type TopicId,
} from '../server/core/ids.ts'
import { dayMs } from '../server/core/time-units.ts'
import { addFeedback } from '../server/domains/feedback/feedback.ts'
import { storeUploads } from '../server/domains/files/uploads.ts'
import { createComment } from '../server/domains/newsfeed/comments.ts'
import { likeTopic } from '../server/domains/newsfeed/likes.ts'
import { createTopic } from '../server/domains/newsfeed/topics.ts'
import { addParticipant } from '../server/domains/participants/participants.ts'
import { addEvent } from '../server/domains/program/events.ts'
import { sanitizeHtml } from '../server/domains/program/html.ts'
import { type Place, placeOfTexts } from '../server/domains/program/projection.ts'
import { addRecord } from '../server/domains/program/records.ts'
import type { NewFile } from '../server/operation.ts'
import type { PictureDrawer } from '../server/platform/images/picture-drawer.ts'
import type { WriteScope } from '../server/scope.ts'
import { feedback } from './feedback.ts'
import { topics } from './newsfeed.ts'
import { people } from './people.ts'
import { events } from './program.ts'
import type { SampleFile } from './shapes.ts'
import { doorsOpen } from './where-and-when.ts'

/** The sample lies in the past: its last comment is from the evening of the third day, yesterday. */
const startDaysAgo = 3

/** 19:00 on the third day, in minutes after the doors opened on the first. */
const lastEvening = (2 * 24 + 11) * 60

/** Writes the sample summit in the transaction of `scope`. @param files from {@link storeSampleFiles} */
export async function loadSample(scope: WriteScope, files: Map<SampleFile, NewFile>): Promise<void> {
  const firstDay = new Date(scope.now - startDaysAgo * dayMs).toISOString().slice(0, 10)
  const start = Date.parse(`${firstDay}T${doorsOpen}:00Z`)
  // Configured request limits do not apply to the sample.
  const at = (minutes: number): WriteScope => ({ ...scope, now: start + minutes * 60_000, limits: defaultLimits })
  const beforeStart = at(-14 * 24 * 60)

  const personIds: ParticipantId[] = []
  for (const person of people) personIds.push(await addParticipant(beforeStart, person))
  const idOf = (index: number): ParticipantId => personIds[index] ?? noParticipant

  const roomIds = new Map<string, RoomId>()
  const findRoom = async (place: Place): Promise<RoomId> => {
    const key = `${place.building} ${place.name}`
    const id = roomIds.get(key) ?? ((await addRecord(beforeStart, 'room', { ...place, sort: roomIds.size })) as RoomId)
    roomIds.set(key, id)
    return id
  }

  const eventIds: EventId[] = []
  for (const { location, venue, speaker, position, company, program, date_from, ...event } of events(firstDay)) {
    const [program_date = '', program_time = ''] = date_from?.split(' ') ?? []
    const activities = program.flatMap(({ date, activities }) => activities.map((activity) => ({ date, ...activity })))
    const texts = { description: sanitizeHtml(event.description), details: sanitizeHtml(event.details) }
    const place = placeOfTexts({ location_name: location.name, location_address: location.address, venue })
    const room_id = place ? await findRoom(place) : null
    const speakers =
      speaker === ''
        ? []
        : [(await addRecord(beforeStart, 'speaker', { name: speaker, position, company })) as SpeakerId]
    const values = { ...event, ...texts, room_id, speakers, date_from, program_date, program_time }
    eventIds.push(await addEvent(beforeStart, values, activities))
  }

  const storedFilesOf = (samples: SampleFile[] = []) => samples.flatMap((file) => files.get(file) ?? [])
  for (const topic of topics) {
    const minutes = topic.minutesAfterStart
    const created = await createTopic(at(minutes), {
      name: topic.header,
      body: topic.body,
      created_by: idOf(topic.by),
      files: storedFilesOf(topic.files),
    })
    const topic_id = Number(created.NewsFeed[0]?.id) as TopicId
    for (const by of topic.likes) await likeTopic(at(minutes), { topic_id, created_by: idOf(by) })
    for (const comment of topic.comments)
      await createComment(at(minutes + comment.minutesAfter), {
        topic_id,
        comment: comment.comment,
        created_by: idOf(comment.by),
        files: storedFilesOf(comment.files),
      })
  }

  for (const [index, { by, event, comments, ...ratings }] of feedback.entries())
    await addFeedback(at(lastEvening - 30 * (feedback.length - index)), {
      ...ratings,
      ...(comments !== null && { comments }),
      participant_id: by === null ? noParticipant : idOf(by),
      ...(event !== null && eventIds[event] && { program_id: eventIds[event] }),
    })
}

/**
 * Draws and stores the files of the sample. Call before the transaction, which may await only queries.
 * @param keys receives those of what is stored
 */
export async function storeSampleFiles({ blobs, drawer }: Context, keys: string[]): Promise<Map<SampleFile, NewFile>> {
  const files = new Map<SampleFile, NewFile>()
  const samples = topics.flatMap((topic) => [topic, ...topic.comments]).flatMap((post) => post.files ?? [])
  for (const [index, file] of samples.entries()) {
    const bytes = file.kind === 'picture' ? await drawPicture(drawer, index, file) : Buffer.from(file.text ?? '')
    const staged = await blobs.stage([bytes], defaultLimits.fileBytes)
    const declaredType = file.kind === 'text' ? 'text/plain' : ''
    const stored = await storeUploads([{ kind: 'part', name: file.name, declaredType, staged }], keys)
    for (const newFile of stored) files.set(file, newFile)
  }
  return files
}

const drawPicture = (drawer: PictureDrawer, id: number, { name, title = '' }: SampleFile): Promise<Buffer> =>
  drawer.draw({ id, title, kind: 'banner' }, name.endsWith('.png') ? 'png' : 'jpeg')
