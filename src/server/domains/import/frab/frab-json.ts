import type { Limits } from '../../../../contract/limits.ts'
import { quote } from '../../../core/clean-text.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { SessionList } from '../sessions/session-list.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import type { ParsedProgram, SourceLink } from '../source.ts'
import {
  entries,
  entriesByKey,
  isTrue,
  items,
  type JsonFile,
  type JsonNode,
  member,
  textIn,
  textOf,
} from '../text/json-nodes.ts'
import { addFrabEvent, createFrabSchedule, type FrabEvent, frabLinks } from './frab-schedule.ts'

const scheduleOf = (root: JsonNode) => member(root, 'schedule') ?? root

const conferenceOf = (root: JsonNode) => member(scheduleOf(root), 'conference')

/** Whether a JSON file is a frab `schedule.json`. */
export const isFrabJson = (root: JsonNode): boolean => member(conferenceOf(root), 'days') !== undefined

/**
 * Reads a `schedule.json` as written by frab, pretalx and the voc tools: `schedule.conference.days[].rooms{}[]`.
 *
 * @returns sessions with the same keys, days and times as from the `schedule.xml` of the same conference
 */
export function parseFrabJson({ root, line }: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const conference = conferenceOf(root)
  const days = items(member(conference, 'days'))
  const events = days.flatMap((day) => roomsOf(day).flatMap((room) => room.events))
  const schedule = createFrabSchedule(
    'frab schedule.json',
    {
      line: line(member(conference, 'time_zone_name') ?? root),
      text: (name) => textIn(conference, name),
      url: textIn(conference, 'url') || textIn(scheduleOf(root), 'url'),
      base: textIn(scheduleOf(root), 'base_url') || textIn(conference, 'base_url'),
      dates: days.map((day) => textIn(day, 'date')),
      durations: events.map((event) => textIn(event, 'duration')),
    },
    limits,
    options,
  )
  const { list } = schedule
  for (const room of items(member(conference, 'rooms'))) addRoom(list, room)
  for (const track of items(member(conference, 'tracks')))
    list.addTrack({ name: textIn(track, 'name'), color: textIn(track, 'color') })
  for (const day of days) {
    const frabDay = { date: textIn(day, 'date'), end: textIn(day, 'day_end') }
    for (const { room, events } of roomsOf(day))
      for (const event of events) addFrabEvent(schedule, frabDay, eventOf(event, line(event), room))
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

function addRoom(list: SessionList, room: JsonNode): void {
  const guid = textIn(room, 'guid')
  const descriptions = [
    textIn(room, 'description_en', 'description'),
    ...entries(room).flatMap(({ name, value }) => (name.startsWith('description_') ? textOf(value) : [])),
  ]
  list.addRoom({
    name: textIn(room, 'name'),
    ids: [guid],
    guid,
    capacity: Number(textIn(room, 'capacity')),
    description: descriptions.find((text) => text !== '') ?? '',
  })
}

/** @param room the one under which the event is listed */
function eventOf(event: JsonNode, line: number, room: string): FrabEvent {
  const text = (...names: string[]) => textIn(event, ...names)
  const recording = (name: string) => textIn(member(event, 'recording'), name)
  return {
    line,
    guid: text('guid'),
    code: text('code'),
    id: text('id'),
    date: text('date').trim(),
    start: text('start'),
    duration: text('duration'),
    title: text('title'),
    subtitle: text('subtitle'),
    abstract: text('abstract'),
    description: text('description'),
    room: text('room') || room,
    track: text('track'),
    type: text('type'),
    language: text('language'),
    slug: text('slug'),
    license: text('recording_license') || recording('license'),
    doNotRecord: isTrue(member(event, 'do_not_record')) || isTrue(member(member(event, 'recording'), 'optout')),
    tags: items(member(event, 'tags')).map(textOf),
    links: frabLinks({ text, recording, attachments: linksIn(event, 'attachments'), links: linksIn(event, 'links') }),
    status: text('status', 'state'),
    speakers: items(member(event, 'persons')).map(speakerOf),
  }
}

const linksIn = (node: JsonNode, name: string): SourceLink[] =>
  items(member(node, name)).map((link) => ({ title: textIn(link, 'title'), url: textIn(link, 'url') }))

const speakerOf = (person: JsonNode): RawSpeaker => ({
  name: textIn(person, 'public_name', 'name', 'full_public_name'),
  position: '',
  company: '',
  // The XML of the same conference has no codes.
  ids: [textIn(person, 'guid'), textIn(person, 'id'), textIn(person, 'code')],
  guid: textIn(person, 'guid'),
  biography: textIn(person, 'biography'),
  photo: textIn(person, 'avatar'),
  links: [{ title: '', url: textIn(person, 'url') }, ...linksIn(person, 'links')],
})
