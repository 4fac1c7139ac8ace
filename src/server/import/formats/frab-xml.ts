import type { XmlElement } from '@rgrove/parse-xml'
import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { addFrabEvent } from './frab-event.ts'
import { createSessionList } from './session-list.ts'
import { createVenueClock } from './venue-clock.ts'
import { child, children, textOf, type XmlFile } from './xml-nodes.ts'

/** Whether an XML file is a frab `schedule.xml`. */
export const isFrabXml = (root: XmlElement): boolean => root.name === 'schedule'

/** Reads a `schedule.xml` as written by frab, pretalx and the voc tools: schedule → day → room → event. */
export function parseFrabXml({ root, line }: XmlFile, limits: Limits): ParsedProgram {
  const list = createSessionList('frab schedule.xml', limits)
  const conference = child(root, 'conference')
  const zone = child(conference, 'time_zone_name')
  const read = createVenueClock(list, textOf(zone), line(zone ?? root))
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
