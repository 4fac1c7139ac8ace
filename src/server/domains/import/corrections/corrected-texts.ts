import type { RoomId, SpeakerId } from '../../../core/ids.ts'
import {
  type Person,
  type Place,
  type Projection,
  placeOfTexts,
  projectSpeakers,
  type SpeakerTexts,
} from '../../program/projection.ts'
import type { ProgramRecord } from '../../program/records.ts'
import type { PlannedPart, StoredParts } from '../program/program-parts-plan.ts'
import { readSpeakers } from '../sessions/speakers.ts'

/** Finds the records that texts of an event tell of. */
export interface TextResolver {
  room(texts: Pick<Projection, 'location_name' | 'location_address' | 'venue'>): PlannedPart<'room'> | undefined
  speakers(texts: SpeakerTexts, source: string): PlannedPart<'speaker'>[]
  /** The records that have to be added. */
  added(): PlannedPart[]
}

/** A list of events has the texts of rooms and speakers: a corrected text is that of another record, which may be new. */
export function createTextResolver(stored: StoredParts): TextResolver {
  const rooms = new Map(stored.room.map((room) => [placeKey(room), existing('room', room)]))
  const speakers = new Map(
    stored.speaker.map((speaker) => [personKey(speaker, speaker.source), existing('speaker', speaker)]),
  )
  const added: PlannedPart[] = []
  const findOrAdd = <P extends PlannedPart>(known: Map<string, P>, key: string, create: () => P): P => {
    const found = known.get(key)
    if (found) return found
    const part = create()
    known.set(key, part)
    added.push(part)
    return part
  }
  return {
    room: (texts) => {
      const place = placeOfTexts(texts)
      return (
        place &&
        findOrAdd(rooms, placeKey(place), () => ({
          ...{ kind: 'room', id: undefined, change: 'new', differences: [] },
          values: { ...place, sort: rooms.size },
        }))
      )
    },
    speakers: (texts, source) =>
      peopleOf(texts).map((person) =>
        findOrAdd(speakers, personKey(person, source), () => ({
          ...{ kind: 'speaker', id: undefined, change: 'new', differences: [] },
          values: { ...person, source },
        })),
      ),
    added: () => added,
  }
}

const existing = <K extends 'room' | 'speaker'>(kind: K, row: ProgramRecord<K> & { id: RoomId | SpeakerId }) =>
  ({ kind, id: row.id, change: 'unchanged', values: row, differences: [] }) as unknown as PlannedPart<K>

const placeKey = ({ name, building, address }: Place) => JSON.stringify([name, building, address])
const personKey = ({ name, position, company }: Person, source: string) =>
  JSON.stringify([source, name, position, company])

/** Several speakers, if together they have these texts again; else one. */
function peopleOf(texts: SpeakerTexts): Person[] {
  const { speaker, position, company } = texts
  if (speaker === '' && position === '' && company === '') return []
  const people = readSpeakers({ names: [speaker], positions: [position], companies: [company] }).map(
    ({ name, position = '', company = '' }) => ({ name, position, company }),
  )
  const joined = projectSpeakers(people)
  const isSame = joined.speaker === speaker && joined.position === position && joined.company === company
  return isSame ? people : [{ name: speaker, position, company }]
}
