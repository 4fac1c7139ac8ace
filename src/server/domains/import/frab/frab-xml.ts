import type { XmlElement } from '@rgrove/parse-xml'
import type { Limits } from '../../../../contract/limits.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { SessionList } from '../sessions/session-list.ts'
import type { ParsedProgram, SourceLink } from '../source.ts'
import { attributeOf, child, children, elements, textOf, type XmlFile } from '../text/xml-nodes.ts'
import { addFrabEvent, createFrabSchedule, type FrabEvent, frabLinks } from './frab-schedule.ts'

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
  const conference = child(schedule, 'conference')
  const events = findEvents(schedule)
  const textIn = (name: string) => textOf(child(conference, name))
  const frabSchedule = createFrabSchedule(
    'frab schedule.xml',
    {
      line: line(child(conference, 'time_zone_name') ?? schedule),
      text: textIn,
      url: textIn('url'),
      base: textIn('base_url') || textOf(child(schedule, 'base_url')),
      dates: children(schedule, 'day').map((day) => attributeOf(day, 'date')),
      durations: events.map(({ event }) => textOf(child(event, 'duration'))),
    },
    limits,
    options,
  )
  const { list } = frabSchedule
  for (const track of children(conference, 'track'))
    list.addTrack({ name: attributeOf(track, 'name'), color: attributeOf(track, 'color') })
  for (const room of new Set(events.flatMap(({ room }) => room ?? []))) addRoom(list, room)
  for (const { event, day, room } of events) {
    const frabDay = { date: attributeOf(day, 'date'), end: attributeOf(day, 'end') }
    addFrabEvent(frabSchedule, frabDay, eventOf(event, line(event), room))
  }
  if (events.length === 0) warnAboutOthers(list, schedule, line(schedule))
  return list.finish()
}

/** Adds a room of which the file has more than the name. */
function addRoom(list: SessionList, { name, element }: Room): void {
  const [guid, description] = [attributeOf(element, 'guid'), attributeOf(element, 'description')]
  if (guid !== '') list.addRoom({ name, ids: [guid], guid, description })
}

/** @param room the one in which the event is listed */
function eventOf(event: XmlElement, line: number, room: Room | undefined): FrabEvent {
  const text = (name: string) => textOf(child(event, name))
  const attribute = (name: string) => attributeOf(event, name)
  const statuses = [text('status'), text('state'), attribute('status')]
  const recording = (name: string) => textOf(child(child(event, 'recording'), name))
  return {
    line,
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
    room: text('room') || (room?.name ?? ''),
    track: text('track'),
    type: text('type'),
    language: text('language'),
    // Pentabarf calls it a tag.
    slug: text('slug') || text('tag'),
    license: recording('license'),
    doNotRecord: /^\s*(?:true|1)\s*$/.test(recording('optout')),
    tags: children(child(event, 'tags'), 'tag').map(textOf),
    links: frabLinks({
      text,
      recording,
      attachments: children(child(event, 'attachments'), 'attachment').map(linkOf),
      links: children(child(event, 'links'), 'link').map(linkOf),
    }),
    status: statuses.find((status) => status !== '') ?? '',
    speakers: children(child(event, 'persons'), 'person').map((person) => {
      const [guid = '', ...others] = ['guid', 'id', 'code'].map((name) => attributeOf(person, name))
      return { name: textOf(person), position: '', company: '', ids: [guid, ...others], guid }
    }),
  }
}

const linkOf = (link: XmlElement): SourceLink => ({ title: textOf(link), url: attributeOf(link, 'href') })

interface PlacedEvent {
  event: XmlElement
  day: XmlElement | undefined
  room: Room | undefined
}

interface Room {
  element: XmlElement
  name: string
}

/** The events below an element, however they are grouped, each with the day and room around it. */
function findEvents(root: XmlElement): PlacedEvent[] {
  const found: PlacedEvent[] = []
  const search = (element: XmlElement, day: XmlElement | undefined, room: Room | undefined) => {
    for (const each of elements(element)) {
      if (each.name === 'event') found.push({ event: each, day, room })
      else search(each, each.name === 'day' ? each : day, each.name === 'room' ? toRoom(each) : room)
    }
  }
  search(root, undefined, undefined)
  return found
}

/** Its name is read once, since a room may have very many events. */
const toRoom = (element: XmlElement): Room => ({
  element,
  name: attributeOf(element, 'name') || textOf(child(element, 'name')),
})

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
