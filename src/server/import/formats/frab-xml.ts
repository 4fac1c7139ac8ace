import { parseXml, XmlElement, XmlError } from '@rgrove/parse-xml'
import type { Limits } from '../../../contract/limits.ts'
import type { ImportWarning, ParsedProgram } from '../source.ts'
import { addFrabEvent } from './frab-event.ts'
import { createLineFinder } from './lines.ts'
import { createSessionList } from './session-list.ts'
import { createVenueClock } from './venue-clock.ts'

/**
 * Reads a `schedule.xml` as written by frab, pretalx and the voc tools: schedule → day → room → event.
 * The parser supports only the five predefined entities and fetches nothing, so entity attacks are not possible.
 *
 * @returns the sessions, or a single warning if the file is malformed. Never throws.
 */
export function parseFrabXml(text: string, limits: Limits): ParsedProgram {
  const root = readRoot(text)
  if ('message' in root) return { format: 'XML', sessions: [], warnings: [root] }
  const lineAt = createLineFinder(text)
  if (root.name !== 'schedule') {
    const message = `This XML file is a <${root.name}>, not a <schedule> with <day>, <room> and <event>.`
    return { format: 'unknown', sessions: [], warnings: [{ line: lineAt(root.start), message }] }
  }
  const list = createSessionList('frab schedule.xml', limits)
  const conference = child(root, 'conference')
  const zone = child(conference, 'time_zone_name')
  const read = createVenueClock(list, textOf(zone), lineAt((zone ?? root).start))
  for (const day of children(root, 'day')) {
    for (const room of children(day, 'room')) {
      for (const event of children(room, 'event')) {
        const text = (name: string) => textOf(child(event, name))
        const attribute = (name: string) => event.attributes[name] ?? ''
        addFrabEvent(
          list,
          read,
          { date: day.attributes.date ?? '', end: day.attributes.end ?? '' },
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
            room: text('room') || (room.attributes.name ?? ''),
            status: text('status') || text('state') || attribute('status'),
            speakers: children(child(event, 'persons'), 'person').map((person) => ({
              name: textOf(person),
              position: '',
              company: '',
            })),
          },
        )
      }
    }
  }
  return list.finish()
}

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

function children(node: XmlElement | undefined, name: string): XmlElement[] {
  return (node?.children ?? []).filter((each): each is XmlElement => each instanceof XmlElement && each.name === name)
}

const child = (node: XmlElement | undefined, name: string): XmlElement | undefined => children(node, name)[0]

const textOf = (node: XmlElement | undefined): string => node?.text ?? ''
