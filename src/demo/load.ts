import { defaultLimits } from '../contract/limits.ts'
import type { Context } from '../server/context.ts'
import {
  type EventId,
  noParticipant,
  type ParticipantId,
  type RoomId,
  type SpeakerId,
  type TopicId,
  type TrackId,
} from '../server/core/ids.ts'
import { dayMs } from '../server/core/time-units.ts'
import { addFeedback } from '../server/domains/feedback/feedback.ts'
import { storeUploads } from '../server/domains/files/uploads.ts'
import { createComment } from '../server/domains/newsfeed/comments.ts'
import { likeTopic } from '../server/domains/newsfeed/likes.ts'
import { createTopic } from '../server/domains/newsfeed/topics.ts'
import { addParticipant } from '../server/domains/participants/participants.ts'
import { addEvent, cancelEvent, updateEvent } from '../server/domains/program/events.ts'
import { sanitizeHtml, textToHtml } from '../server/domains/program/html.ts'
import { addRecord } from '../server/domains/program/records.ts'
import type { NewFile } from '../server/operation.ts'
import type { PictureDrawer } from '../server/platform/images/picture-drawer.ts'
import type { WriteScope } from '../server/scope.ts'
import { calendar, doorsOpen } from './calendar.ts'
import { conference, rooms, tracks } from './conference.ts'
import { feedback } from './feedback.ts'
import { topics } from './newsfeed.ts'
import { people } from './people.ts'
import { events } from './program.ts'
import type { SampleFile, SampleRoom, SampleSpeaker, SampleTrack } from './shapes.ts'
import { speakers } from './speakers.ts'

/** The sample lies in the past: its last comment is from the evening of the third day, yesterday. */
const startDaysAgo = 3

/** In minutes after the doors opened on the first day. */
const twoWeeksBefore = -14 * 24 * 60

/** 19:00 on the third day, in minutes after the doors opened on the first. */
const lastEvening = (2 * 24 + 11) * 60

/** The scope at a number of minutes after the doors opened on the first day. */
type Moment = (minutes: number) => WriteScope

/** Writes the sample summit in the transaction of `scope`. @param files from {@link storeSampleFiles} */
export async function loadSample(scope: WriteScope, files: Map<SampleFile, NewFile>): Promise<void> {
  const firstDay = new Date(scope.now - startDaysAgo * dayMs).toISOString().slice(0, 10)
  const start = Date.parse(`${firstDay}T${doorsOpen}:00Z`)
  // Configured request limits do not apply to the sample.
  const at: Moment = (minutes) => ({ ...scope, now: start + minutes * 60_000, limits: defaultLimits })

  const personIds: ParticipantId[] = []
  for (const person of people) personIds.push(await addParticipant(at(twoWeeksBefore), person))
  const idOf = (index: number): ParticipantId => personIds[index] ?? noParticipant

  const eventIds = await loadProgram(at, firstDay)

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

/** @returns the ids of `events`, in their order */
async function loadProgram(at: Moment, firstDay: string): Promise<EventId[]> {
  const scope = at(twoWeeksBefore)
  const day = calendar(firstDay)
  await addRecord(scope, 'conference', { ...conference, first_day: day(0), last_day: day(2) })

  const roomIds = new Map<SampleRoom | null, RoomId>()
  for (const [sort, room] of Object.values(rooms).entries())
    roomIds.set(room, (await addRecord(scope, 'room', { ...room, sort })) as RoomId)
  const trackIds = new Map<SampleTrack | undefined, TrackId>()
  for (const [sort, track] of Object.values(tracks).entries())
    trackIds.set(track, (await addRecord(scope, 'track', { ...track, sort })) as TrackId)
  const speakerIds = new Map<SampleSpeaker, SpeakerId>()
  for (const speaker of Object.values(speakers)) {
    const texts = { biography: textToHtml(speaker.biography), links: JSON.stringify(speaker.links) }
    speakerIds.set(speaker, (await addRecord(scope, 'speaker', { ...speaker, ...texts })) as SpeakerId)
  }

  const eventIds: EventId[] = []
  for (const { room, track, program = [], moved, cancelledAt, ...event } of events(firstDay)) {
    const [program_date = '', program_time = ''] = event.date_from?.split(' ') ?? []
    const values = {
      ...{ program_date, program_time, language: 'en', ...event },
      description: sanitizeHtml(event.description),
      details: sanitizeHtml(event.details),
      tags: JSON.stringify(event.tags ?? []),
      links: JSON.stringify(event.links ?? []),
      room_id: roomIds.get(moved?.from ?? room) ?? null,
      track_id: trackIds.get(track) ?? null,
      speakers: event.speakers?.flatMap((speaker) => speakerIds.get(speaker) ?? []) ?? [],
    }
    const activities = program.flatMap(({ date, activities }) => activities.map((activity) => ({ date, ...activity })))
    const id = await addEvent(scope, values, activities)
    if (moved) await updateEvent(at(moved.at), id, { room_id: roomIds.get(room) ?? null })
    if (cancelledAt !== undefined) await cancelEvent(at(cancelledAt), id)
    eventIds.push(id)
  }
  return eventIds
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
