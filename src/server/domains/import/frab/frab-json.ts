import type { Limits } from '../../../../contract/limits.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList } from '../sessions/session-list.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { createVenue } from '../sessions/venue-clock.ts'
import type { ParsedProgram } from '../source.ts'
import { quote } from '../text/clean.ts'
import { entries, entriesByKey, items, type JsonFile, type JsonNode, member, textIn } from '../text/json-nodes.ts'
import { createScheduleDurations } from '../times/duration.ts'
import { addFrabEvent } from './frab-event.ts'

const conferenceOf = (root: JsonNode) => member(member(root, 'schedule') ?? root, 'conference')

/** Whether a JSON file is a frab `schedule.json`. */
export const isFrabJson = (root: JsonNode): boolean => member(conferenceOf(root), 'days') !== undefined

/**
 * Reads a `schedule.json` as written by frab, pretalx and the voc tools: `schedule.conference.days[].rooms{}[]`.
 *
 * @returns sessions with the same keys, days and times as from the `schedule.xml` of the same conference
 */
export function parseFrabJson({ root, line }: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const list = createSessionList('frab schedule.json', limits)
  const conference = conferenceOf(root)
  const zone = member(conference, 'time_zone_name')
  const venue = createVenue(list, textIn(conference, 'time_zone_name'), line(zone ?? root), options)
  const dayChange = textIn(conference, 'day_change')
  const days = items(member(conference, 'days'))
  const events = days.flatMap((day) => roomsOf(day).flatMap((room) => room.events))
  const readDuration = createScheduleDurations(events.map((event) => textIn(event, 'duration')))
  for (const day of days) {
    const frabDay = { date: textIn(day, 'date'), end: textIn(day, 'day_end'), dayChange }
    for (const { room, events } of roomsOf(day)) {
      for (const event of events) {
        addFrabEvent({ list, venue, readDuration }, frabDay, {
          line: line(event),
          guid: textIn(event, 'guid'),
          code: textIn(event, 'code'),
          id: textIn(event, 'id'),
          date: textIn(event, 'date').trim(),
          start: textIn(event, 'start'),
          duration: textIn(event, 'duration'),
          title: textIn(event, 'title'),
          subtitle: textIn(event, 'subtitle'),
          abstract: textIn(event, 'abstract'),
          description: textIn(event, 'description'),
          room: textIn(event, 'room') || room,
          status: textIn(event, 'status', 'state'),
          speakers: items(member(event, 'persons')).map(speakerOf),
        })
      }
    }
  }
  const others = days.find((day) => roomsOf(day).length === 0 && entries(day).some(({ name }) => !dayMembers.has(name)))
  if (others && days.every((day) => roomsOf(day).every(({ events }) => events.length === 0))) {
    const names = entries(others).map(({ name }) => quote(name))
    const message = `The days have no events in “rooms”, but: ${names.slice(0, 10).join(', ')}. Expected: schedule → conference → days → rooms → a list of events.`
    list.warn(line(others), message)
  }
  return list.finish()
}

const dayMembers = new Set(['index', 'date', 'day_start', 'day_end', 'rooms'])

/** The rooms of a day: an object by name, or a list. */
function roomsOf(day: JsonNode): { room: string; events: JsonNode[] }[] {
  const rooms = member(day, 'rooms')
  if (rooms?.type === 'array')
    return items(rooms).map((room) => ({ room: textIn(room, 'name'), events: items(member(room, 'events')) }))
  return entriesByKey(rooms, 'event').map(({ name, value }) => ({ room: name, events: items(value) }))
}

const speakerOf = (person: JsonNode): RawSpeaker => ({
  name: textIn(person, 'public_name', 'name', 'full_public_name'),
  position: '',
  company: '',
})
