import { parseXml, XmlElement, XmlError } from '@rgrove/parse-xml'
import type { Limits } from '../../../contract/limits.ts'
import type { ImportWarning, ParsedProgram } from '../source.ts'
import { addFrabEvent } from './frab-event.ts'
import { createLineFinder } from './lines.ts'
import { createSessionList, type SessionList } from './session-list.ts'
import { createVenueClock } from './venue-clock.ts'

const expected = '<schedule> with <day>, <room> and <event>'

/**
 * Reads a `schedule.xml` as written by Pentabarf, frab, pretalx and the voc tools: schedule → day → room → event. Older
 * ones have events directly below the day, with the room inside, or rooms and events in groups.
 * The parser supports only the five predefined entities and fetches nothing, so entity attacks are not possible.
 *
 * @returns the sessions, or a single warning if the file is malformed. Never throws.
 */
export function parseFrabXml(text: string, limits: Limits): ParsedProgram {
  const root = readRoot(text)
  if ('message' in root) return { format: 'XML', sessions: [], warnings: [root] }
  const lineAt = createLineFinder(text)
  const schedule = root.name === 'schedule' ? root : child(root, 'schedule')
  if (!schedule) {
    const message = `This XML file is a <${root.name}>, not a ${expected}.`
    return { format: 'unknown', sessions: [], warnings: [{ line: lineAt(root.start), message }] }
  }
  const list = createSessionList('frab schedule.xml', limits)
  const conference = child(schedule, 'conference')
  const zone = child(conference, 'time_zone_name')
  const read = createVenueClock(list, textOf(zone), lineAt((zone ?? schedule).start))
  const dayChange = textOf(child(conference, 'day_change'))
  const events = findEvents(schedule)
  for (const { event, day, room } of events) {
    const text = (name: string) => textOf(child(event, name))
    const attribute = (name: string) => event.attributes[name] ?? ''
    addFrabEvent(
      list,
      read,
      { date: day?.attributes.date ?? '', end: day?.attributes.end ?? '', dayChange },
      {
        line: lineAt(event.start),
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
        room: text('room') || (room?.attributes.name ?? textOf(child(room, 'name'))),
        status: text('status') || text('state') || attribute('status'),
        speakers: children(child(event, 'persons'), 'person').map((person) => ({
          name: textOf(person),
          position: '',
          company: '',
        })),
      },
    )
  }
  if (events.length === 0) warnAboutOthers(list, schedule, lineAt(schedule.start))
  return list.finish()
}

interface PlacedEvent {
  event: XmlElement
  day: XmlElement | undefined
  room: XmlElement | undefined
}

/** The events below an element, however they are grouped, each with the day and room around it. */
function findEvents(root: XmlElement): PlacedEvent[] {
  const found: PlacedEvent[] = []
  const search = (element: XmlElement, day: XmlElement | undefined, room: XmlElement | undefined) => {
    for (const each of elements(element)) {
      if (each.name === 'event') found.push({ event: each, day, room })
      else search(each, each.name === 'day' ? each : day, each.name === 'room' ? each : room)
    }
  }
  search(root, undefined, undefined)
  return found
}

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

function readRoot(text: string): XmlElement | ImportWarning {
  try {
    return parseXml(text, { includeOffsets: true }).root ?? { line: 1, message: 'The XML file is empty.' }
  } catch (error) {
    // The parser recurses once per level, so only absurd nesting overflows the stack.
    if (!(error instanceof XmlError)) return { line: 1, message: 'The XML is nested too deeply.' }
    const [syntaxError = ''] = error.message.split(/ \(line |\n/)
    return { line: error.line, message: `The file is not valid XML: ${syntaxError}.` }
  }
}

const elements = (node: XmlElement | undefined): XmlElement[] =>
  (node?.children ?? []).filter((each): each is XmlElement => each instanceof XmlElement)

const children = (node: XmlElement | undefined, name: string): XmlElement[] =>
  elements(node).filter((each) => each.name === name)

const child = (node: XmlElement | undefined, name: string): XmlElement | undefined => children(node, name)[0]

const textOf = (node: XmlElement | undefined): string => node?.text ?? ''
