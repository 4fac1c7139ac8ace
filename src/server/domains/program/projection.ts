import type { Row } from '../../storage/db/tables.ts'

// The interface specification has texts where Summit has rooms and speakers of their own. They are columns of the event,
// so that its lists and details are read without joins.

/** The columns of an event that show its room. */
export type PlaceTexts = Pick<Row<'event'>, 'location_name' | 'location_address' | 'venue'>

/** The columns of an event that show its speakers. */
export type SpeakerTexts = Pick<Row<'event'>, 'speaker' | 'position' | 'company'>

/** The columns of an event that follow from its room and its speakers. */
export type Projection = PlaceTexts & SpeakerTexts

export const projectedColumns = [
  ...(['location_name', 'location_address', 'venue'] as const),
  ...(['speaker', 'position', 'company'] as const),
] satisfies (keyof Projection)[]

/** What the place of an event is told by. */
export type Place = Pick<Row<'room'>, 'name' | 'building' | 'address'>

/** What the speakers of an event are told by. */
export type Person = Pick<Row<'speaker'>, 'name' | 'position' | 'company'>

/** The location of an event is the building, and its venue the room; without a building, the location is the room. */
export function projectPlace(room: Place | undefined): PlaceTexts {
  if (!room) return { location_name: '', location_address: '', venue: '' }
  const { name, building, address } = room
  return { location_name: building ?? name, location_address: address, venue: building === null ? '' : name }
}

export const projectSpeakers = (speakers: readonly Person[]): SpeakerTexts => ({
  speaker: joinDistinct(speakers.map(({ name }) => name)),
  position: joinDistinct(speakers.map(({ position }) => position)),
  company: joinDistinct(speakers.map(({ company }) => company)),
})

/** Between speakers, and between their positions and companies. */
const separator = ', '

/**
 * Characters (UTF-16 units) of joined texts; several hundred speakers. Does not follow MAX_TEXT: with another limit, any
 * change of a speaker would change the texts of stored events.
 */
const maxJoinedLength = 10_000

/** Joins the distinct non-empty parts, as many as fit; the first always does. */
function joinDistinct(parts: readonly string[]): string {
  const [first = '', ...others] = new Set(parts.filter((part) => part !== ''))
  let joined = first
  for (const part of others) {
    if (joined.length + separator.length + part.length > maxJoinedLength) break
    joined += separator + part
  }
  return joined
}
