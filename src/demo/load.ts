import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { defaultLimits } from '../contract/limits.ts'
import type { Context } from '../server/context.ts'
import { parseTime } from '../server/core/clock.ts'
import { type EventId, noParticipant, type ParticipantId, type SpeakerId, type TopicId } from '../server/core/ids.ts'
import { minuteMs } from '../server/core/time-units.ts'
import { addFeedback } from '../server/domains/feedback/feedback.ts'
import { storeUploads } from '../server/domains/files/uploads.ts'
import { createComment } from '../server/domains/newsfeed/comments.ts'
import { likeTopic } from '../server/domains/newsfeed/likes.ts'
import { createTopic } from '../server/domains/newsfeed/topics.ts'
import { addParticipant, updateParticipant } from '../server/domains/participants/participants.ts'
import { photoKey, photoPath } from '../server/domains/participants/photos.ts'
import { updateEvent } from '../server/domains/program/events.ts'
import { pictureKey, speakerPhotoKey } from '../server/domains/program/pictures.ts'
import { updateRecord } from '../server/domains/program/records.ts'
import type { NewFile } from '../server/operation.ts'
import type { WriteScope } from '../server/scope.ts'
import { dateOf, timeOf } from './calendar.ts'
import { release } from './conference.ts'
import { feedback } from './feedback.ts'
import { loadProgram } from './load-program.ts'
import { topics } from './newsfeed.ts'
import { people } from './people.ts'
import { portraits, scenes } from './pictures.ts'
import { events } from './program.ts'
import type { Posted, SampleFile } from './shapes.ts'
import { speakers } from './speakers.ts'

/** The ids of the loaded records, in the order of the sample. */
export interface LoadedIds {
  /** When they were created. */
  created: number
  people: ParticipantId[]
  speakers: SpeakerId[]
  events: EventId[]
}

/** Writes the sample summit in the transaction of `scope`. @param files from {@link storeSampleFiles} */
export async function loadSample(scope: WriteScope, files: Map<SampleFile, NewFile>): Promise<LoadedIds> {
  // The second day is that of the first start.
  const firstDay = dateOf(scope.timestamp(scope.now).slice(0, 10), -1)
  const instantOf = (day: number, time: string) => parseTime(timeOf(firstDay, day, time), scope.timestamp) ?? scope.now
  // Configured request limits do not apply to the sample.
  const at = (instant: number): WriteScope => ({ ...scope, now: instant, limits: defaultLimits })
  const atPosted = (posted: Posted) =>
    'firstDay' in posted ? instantOf(0, posted.firstDay) : scope.now - posted.minutesAgo * minuteMs
  const twoWeeksBefore = instantOf(-14, '10:00')

  const personIds: ParticipantId[] = []
  for (const { portrait: _, ...person } of people) personIds.push(await addParticipant(at(twoWeeksBefore), person))
  const idOf = (index: number): ParticipantId => personIds[index] ?? noParticipant

  const program = await loadProgram(at(twoWeeksBefore), firstDay, at(scope.now - release.minutesAgo * minuteMs))

  const storedFilesOf = (samples: SampleFile[] = []) => samples.flatMap((file) => files.get(file) ?? [])
  const timed = topics.map((topic) => ({ ...topic, instant: atPosted(topic.posted) }))
  for (const { instant, ...topic } of timed.toSorted((a, b) => a.instant - b.instant)) {
    const created = await createTopic(at(instant), {
      name: topic.header,
      body: topic.body,
      created_by: idOf(topic.by),
      files: storedFilesOf(topic.files),
    })
    const topic_id = Number(created.NewsFeed[0]?.id) as TopicId
    for (const by of topic.likes) await likeTopic(at(instant), { topic_id, created_by: idOf(by) })
    for (const comment of topic.comments)
      await createComment(at(instant + comment.minutesAfter * minuteMs), {
        topic_id,
        comment: comment.comment,
        created_by: idOf(comment.by),
        files: storedFilesOf(comment.files),
      })
  }

  // After the first day, while people wait for the lanterns.
  const lateEvening = instantOf(0, '23:30')
  for (const [index, { by, event, comments, ...ratings }] of feedback.entries()) {
    const program_id = program.events[events.findIndex(({ title }) => title === event)]
    await addFeedback(at(lateEvening - 4 * minuteMs * (feedback.length - index)), {
      ...ratings,
      ...(comments !== null && { comments }),
      participant_id: by === null ? noParticipant : idOf(by),
      ...(program_id !== undefined && { program_id }),
    })
  }
  return { created: twoWeeksBefore, people: personIds, ...program }
}

/**
 * Stores the files of the sample. Call before the transaction, which may await only queries.
 * @param keys receives those of what is stored
 */
export async function storeSampleFiles({ blobs }: Context, keys: string[]): Promise<Map<SampleFile, NewFile>> {
  const files = new Map<SampleFile, NewFile>()
  const samples = topics.flatMap((topic) => [topic, ...topic.comments]).flatMap((post) => post.files ?? [])
  for (const file of samples) {
    const isText = 'text' in file
    const bytes = isText ? Buffer.from(file.text) : await readFile(scenes[file.picture])
    const staged = await blobs.stage([bytes], defaultLimits.fileBytes)
    const declaredType = isText ? 'text/plain' : ''
    const stored = await storeUploads([{ kind: 'part', name: file.name, declaredType, staged }], keys)
    for (const newFile of stored) files.set(file, newFile)
  }
  return files
}

/** Shows a stored picture on its record, in a transaction. */
type ShowPicture = (scope: WriteScope) => Promise<void>

/**
 * Stores the portraits and banners, whose keys have the ids of their records.
 * @param keys receives those of what is stored
 */
export async function storeSamplePictures({ blobs }: Context, ids: LoadedIds, keys: string[]): Promise<ShowPicture[]> {
  const shown: ShowPicture[] = []
  const store = async (
    url: URL,
    keyOf: (sha256: string) => string,
    show: (scope: WriteScope, key: string) => unknown,
  ) => {
    const bytes = await readFile(url)
    const key = keyOf(hash('sha256', bytes))
    const staged = await blobs.stage([bytes], bytes.length)
    await staged.store(key)
    keys.push(key)
    shown.push(async (scope) => void (await show(scope, key)))
  }
  for (const [index, { portrait }] of people.entries()) {
    const participantId = ids.people[index]
    if (!portrait || participantId === undefined) continue
    const pathOf = (sha256: string) => photoPath(participantId, sha256, 'webp')
    await store(
      portrait,
      (sha256) => photoKey(pathOf(sha256)),
      (scope, key) => updateParticipant(scope, { participantId, photo: `api/${key}` }),
    )
  }
  for (const [index, name] of Object.keys(speakers).entries()) {
    const id = ids.speakers[index]
    if (id === undefined) continue
    await store(
      portraits[name as keyof typeof speakers],
      (sha256) => speakerPhotoKey(id, sha256, 'webp'),
      (scope, photo) => updateRecord(scope, 'speaker', id, { photo }),
    )
  }
  for (const [index, { banner }] of events.entries()) {
    const id = ids.events[index]
    if (!banner || id === undefined) continue
    await store(
      scenes[banner],
      (sha256) => pictureKey(id, 'banner', sha256, 'webp'),
      (scope, banner) => updateEvent(scope, id, { banner }),
    )
  }
  return shown
}
