import type { EventId, RoomId, SpeakerId, TrackId } from '../server/core/ids.ts'
import { prepareEvent } from '../server/domains/editing/events.ts'
import { publish } from '../server/domains/editing/publish.ts'
import { addEvent } from '../server/domains/program/events.ts'
import { sanitizeHtml, textToHtml } from '../server/domains/program/html.ts'
import { addRecord } from '../server/domains/program/records.ts'
import type { WriteScope } from '../server/scope.ts'
import { dateOf, timeOf } from './calendar.ts'
import { conference, release, rooms, tracks } from './conference.ts'
import { events } from './program.ts'
import type { SampleEvent, SampleRoom, SampleSpeaker, SampleTrack } from './shapes.ts'
import { speakers } from './speakers.ts'

/**
 * Writes the program, then changes and publishes some of it, as organizers do.
 * @param firstDay YYYY-MM-DD
 * @param released the scope at the time of the release
 * @returns the ids of `speakers` and `events`, in their order
 */
export async function loadProgram(scope: WriteScope, firstDay: string, released: WriteScope) {
  const days = { first_day: dateOf(firstDay, 0), last_day: dateOf(firstDay, 2) }
  await addRecord(scope, 'conference', { ...conference, ...days, time_zone: scope.timeZone })

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
  for (const event of events) {
    const { title, room, track, type, subtitle = '', language = 'en', tags = [], links = [], do_not_record = 0 } = event
    const values = {
      ...{ title, type, subtitle, language, do_not_record, ...slotOf(firstDay, event) },
      description: sanitizeHtml(event.description),
      details: sanitizeHtml(event.details),
      tags: JSON.stringify(tags),
      links: JSON.stringify(links),
      room_id: roomIds.get(room) ?? null,
      track_id: trackIds.get(track) ?? null,
      speakers: event.speakers?.flatMap((speaker) => speakerIds.get(speaker) ?? []) ?? [],
    }
    eventIds.push(await addEvent(scope, values, activitiesOf(firstDay, event)))
  }

  const changed: EventId[] = []
  for (const [index, { movesTo, isCancelled }] of events.entries()) {
    const id = eventIds[index]
    if (id === undefined || !(movesTo || isCancelled)) continue
    const room_id = movesTo && roomIds.get(movesTo)
    const edit = { id, revision: 0, ...(room_id && { room_id }), ...(isCancelled && { is_cancelled: true }) }
    const save = await prepareEvent(released, edit)
    await save({ ...released, afterCommit: () => {} })
    changed.push(id)
  }
  await publish(released, { events: changed, note: release.note })
  return { speakers: [...speakerIds.values()], events: eventIds }
}

function slotOf(firstDay: string, { day, from = '', to = '' }: SampleEvent) {
  if (day === null) return { date_from: null, date_to: null }
  const [date_from, date_to] = [timeOf(firstDay, day, from), timeOf(firstDay, day, to)]
  return { date_from, date_to, program_date: dateOf(firstDay, day), program_time: date_from.slice(11) }
}

/** The parts of a session; a session without any is its own. */
function activitiesOf(firstDay: string, { title, day, from = '', parts = [{ title, time: from }] }: SampleEvent) {
  if (day === null) return []
  return parts.map(({ title, time }) => ({
    title,
    date: dateOf(firstDay, day),
    time: timeOf(firstDay, day, time).slice(11),
  }))
}
