import type { XmlElement } from '@rgrove/parse-xml'
import type { Limits } from '../../../../contract/limits.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type SessionList } from '../sessions/session-list.ts'
import { createVenue } from '../sessions/venue-clock.ts'
import type { ParsedProgram } from '../source.ts'
import { attributeOf, child, children, elements, textOf, type XmlFile } from '../text/xml-nodes.ts'
import { createScheduleDurations } from '../times/duration.ts'
import { addFrabEvent } from './frab-event.ts'

const expected = '<schedule> with <day>, <room> and <event>'

const scheduleIn = (root: XmlElement) => (root.name === 'schedule' ? root : child(root, 'schedule'))

/** Whether an XML file is a `schedule.xml`. */
export const isFrabXml = (root: XmlElement): boolean => scheduleIn(root) !== undefined

/**
 * Reads a `schedule.xml` as written by Pentabarf, frab, pretalx and the voc tools: schedule → day → room → event. Older
 * ones have events directly below the day, with the room inside, or rooms and events in groups.
 */
export function parseFrabXml({ root, line }: XmlFile, limits: Limits, options: ReadingOptions): ParsedProgram {
  const schedule = scheduleIn(root) ?? root
  const list = createSessionList('frab schedule.xml', limits)
  const conference = child(schedule, 'conference')
  const zone = child(conference, 'time_zone_name')
  const venue = createVenue(list, textOf(zone), line(zone ?? schedule), options)
  const dayChange = textOf(child(conference, 'day_change'))
  const events = findEvents(schedule)
  const readDuration = createScheduleDurations(events.map(({ event }) => textOf(child(event, 'duration'))))
  for (const { event, day, room } of events) {
    const text = (name: string) => textOf(child(event, name))
    const attribute = (name: string) => attributeOf(event, name)
    const statuses = [text('status'), text('state'), attribute('status')]
    addFrabEvent(
      { list, venue, readDuration },
      { date: attributeOf(day, 'date'), end: attributeOf(day, 'end'), dayChange },
      {
        line: line(event),
        guid: attribute('guid'),
        code: attribute('code'),
        id: attribute('id'),
        date: text('date').trim(),
        start: text('start'),
        duration: text('duration'),
        title: text('title'),
        subtitle: text('subtitle'),
        abstract: text('abstract'),
        description: text('description'),
        room: text('room') || room,
        status: statuses.find((status) => status !== '') ?? '',
        speakers: children(child(event, 'persons'), 'person').map((person) => ({
          name: textOf(person),
          position: '',
          company: '',
        })),
      },
    )
  }
  if (events.length === 0) warnAboutOthers(list, schedule, line(schedule))
  return list.finish()
}

interface PlacedEvent {
  event: XmlElement
  day: XmlElement | undefined
  /** The name of the room, or `''`. */
  room: string
}

/** The events below an element, however they are grouped, each with the day and room around it. */
function findEvents(root: XmlElement): PlacedEvent[] {
  const found: PlacedEvent[] = []
  const search = (element: XmlElement, day: XmlElement | undefined, room: string) => {
    for (const each of elements(element)) {
      if (each.name === 'event') found.push({ event: each, day, room })
      else search(each, each.name === 'day' ? each : day, each.name === 'room' ? nameOf(each) : room)
    }
  }
  search(root, undefined, '')
  return found
}

const nameOf = (room: XmlElement): string => attributeOf(room, 'name') || textOf(child(room, 'name'))

/** Says which elements there are instead of events, if there are others than days and rooms. */
function warnAboutOthers(list: SessionList, schedule: XmlElement, line: number): void {
  const groups = elements(schedule).filter(({ name }) => name !== 'conference')
  const below = groups.flatMap((group) => [group, ...elements(group).flatMap((each) => [each, ...elements(each)])])
  const counts = Map.groupBy(
    below.filter(({ name }) => !metadata.has(name)),
    ({ name }) => name,
  )
  if ([...counts.keys()].every((name) => containers.has(name))) return
  const names = [...counts].slice(0, 5).map(([name, { length }]) => `${length} <${name}>`)
  list.warn(line, `No <event> was found in <schedule>, but ${names.join(', ')}. Expected: ${expected}.`)
}

const containers = new Set(['day', 'days', 'room', 'rooms', 'events'])
/** Elements that newer exports have beside the days. */
const metadata = new Set(['generator', 'version', 'url', 'base_url'])
