import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram, SourceSpeaker } from '../source.ts'
import { addFrabEvent } from './frab-event.ts'
import { entries, items, type JsonFile, type JsonNode, member, textIn } from './json-nodes.ts'
import { createSessionList } from './session-list.ts'
import { createVenueClock } from './venue-clock.ts'

const conferenceOf = (root: JsonNode) => member(member(root, 'schedule') ?? root, 'conference')

/** Whether a JSON file is a frab `schedule.json`. */
export const isFrabJson = (root: JsonNode): boolean => member(conferenceOf(root), 'days') !== undefined

/**
 * Reads a `schedule.json` as written by frab, pretalx and the voc tools: `schedule.conference.days[].rooms{}[]`.
 *
 * @returns sessions with the same keys, days and times as from the `schedule.xml` of the same conference
 */
export function parseFrabJson({ root, line }: JsonFile, limits: Limits): ParsedProgram {
  const list = createSessionList('frab schedule.json', limits)
  const conference = conferenceOf(root)
  const zone = member(conference, 'time_zone_name')
  const read = createVenueClock(list, textIn(conference, 'time_zone_name'), line(zone ?? root))
  for (const day of items(member(conference, 'days'))) {
    const frabDay = { date: textIn(day, 'date'), end: textIn(day, 'day_end') }
    for (const { name: room, value: events } of entries(member(day, 'rooms'))) {
      for (const event of items(events)) {
        addFrabEvent(list, read, frabDay, {
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
  return list.finish()
}

const speakerOf = (person: JsonNode): SourceSpeaker => ({
  name: textIn(person, 'public_name', 'name', 'full_public_name'),
  position: '',
  company: '',
})
