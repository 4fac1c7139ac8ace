import { parseXml, XmlElement, XmlError } from '@rgrove/parse-xml'
import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram, Remark } from '../source.ts'
import { addFrabEvent } from './frab-event.ts'
import { lineFinder } from './lines.ts'
import { sessionList } from './session-list.ts'
import { venueClock } from './venue-clock.ts'

/**
 * Reads a `schedule.xml` as frab, pretalx and the voc tools write it: schedule → day → room → event.
 * The parser knows no entities but XML's own five and fetches nothing, so that a hostile file can only be malformed.
 *
 * @returns the sessions; a malformed file gives one problem with its line. Never throws.
 */
export function parseFrabXml(text: string, limits: Limits): ParsedProgram {
  const root = readRoot(text)
  if ('reason' in root) return { format: 'XML', sessions: [], problems: [root] }
  const lineAt = lineFinder(text)
  if (root.name !== 'schedule') {
    const reason = `This XML file is a <${root.name}>; a program is a <schedule> with <day>, <room> and <event> in it.`
    return { format: 'unknown', sessions: [], problems: [{ line: lineAt(root.start), reason }] }
  }
  const list = sessionList('frab schedule.xml', limits)
  const conference = child(root, 'conference')
  const zone = child(conference, 'time_zone_name')
  const read = venueClock(list, textOf(zone), lineAt((zone ?? root).start))
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

function readRoot(text: string): XmlElement | Remark {
  try {
    return parseXml(text, { includeOffsets: true }).root ?? { line: 1, reason: 'The XML file is empty.' }
  } catch (error) {
    // The parser descends once for each level, so that only absurd nesting overflows its stack.
    if (!(error instanceof XmlError)) return { line: 1, reason: 'The file is not usable XML: it nests too deeply.' }
    const [mistake = ''] = error.message.split(/ \(line |\n/)
    return { line: error.line, reason: `The file is not valid XML: ${mistake}.` }
  }
}

function children(node: XmlElement | undefined, name: string): XmlElement[] {
  return (node?.children ?? []).filter((each): each is XmlElement => each instanceof XmlElement && each.name === name)
}

const child = (node: XmlElement | undefined, name: string): XmlElement | undefined => children(node, name)[0]

const textOf = (node: XmlElement | undefined): string => node?.text ?? ''
