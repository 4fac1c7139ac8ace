import type { EventId } from '../../../core/ids.ts'
import { type Person, type Place, type Projection, placeOfTexts } from '../../program/projection.ts'
import type { ProgramRecord } from '../../program/records.ts'
import { type PlannedPart, planPart, type StoredParts } from '../program/program-parts-plan.ts'
import type { EventWithSpeakers } from '../program/session-event.ts'
import { splitNames } from '../sessions/speakers.ts'
import { correctPeople } from './corrected-people.ts'
import type { Correction } from './correction.ts'

/** An event with what a list corrects in it. */
interface CorrectedEvent {
  correction: Correction
  /** The stored event, or the identity of a new one. */
  event: EventWithSpeakers | { id?: undefined; source: string }
}

/** What a corrected event refers to; left out where its texts stay. */
export interface References {
  inRoom?: PlannedPart<'room'> | undefined
  people?: PlannedPart<'speaker'>[]
}

type StoredRecord<K extends 'room' | 'speaker'> = ProgramRecord<K> & { id: number }

/** The values that an event needs of a room or speaker. */
interface Wish<K extends 'room' | 'speaker'> {
  /** The record until now; undefined if the event had none, or another one. */
  was: StoredRecord<K> | undefined
  values: K extends 'room' ? Place : Person & { source: string }
}

interface Wishes {
  room: Wish<'room'> | undefined
  people: Wish<'speaker'>[]
}

const placeColumns = ['location_name', 'location_address', 'venue'] as const
const speakerColumns = ['speaker', 'position', 'company'] as const

const noTexts: Projection = {
  ...{ location_name: '', location_address: '', venue: '' },
  ...{ speaker: '', position: '', company: '' },
}

/**
 * Finds the rooms and speakers that corrected texts tell of. A record is corrected itself if all its events have the same
 * correction; else the event gets another one, which may be new.
 * @param events every stored event
 * @returns the references of each corrected event, and the rooms and speakers to write before
 */
export function resolveTexts<C extends CorrectedEvent>(
  corrected: readonly C[],
  events: readonly EventWithSpeakers[],
  stored: StoredParts,
): { references: Map<C, References>; parts: PlannedPart[] } {
  const roomOf = new Map(stored.room.map((room) => [room.id, room]))
  const speakerOf = new Map(stored.speaker.map((speaker) => [speaker.id, speaker]))
  const rooms = createPartFinder('room', stored.room, placeKey)
  const speakers = createPartFinder('speaker', stored.speaker, personKey)

  const toWishes = ({ event, correction }: CorrectedEvent): Wishes => {
    const isNew = event.id === undefined
    const room = isNew || event.room_id === null ? undefined : roomOf.get(event.room_id)
    const people = isNew ? [] : event.speakers.flatMap((id) => speakerOf.get(id) ?? [])
    const [before, after] = [textsBefore(event), textsAfter({ event, correction })]
    const place = placeOfTexts(after)
    const isSameRoom =
      before.location_name === after.location_name || (after.venue !== '' && before.venue === after.venue)
    return {
      room: hasChanged({ event, correction }, placeColumns)
        ? place && { was: isSameRoom ? room : undefined, values: place }
        : room && { was: room, values: room },
      people: hasChanged({ event, correction }, speakerColumns)
        ? correctPeople(people, after).map(({ was, person }) => ({ was, values: { ...person, source: event.source } }))
        : people.map((speaker) => ({ was: speaker, values: speaker })),
    }
  }

  const wishes = new Map(corrected.map((each) => [each, toWishes(each)]))
  const inFile = new Set<EventId | undefined>(corrected.map(({ event }) => event.id))
  const others = events.filter(({ id }) => !inFile.has(id)).map((event) => toWishes({ event, correction: {} }))
  for (const { room, people } of [...wishes.values(), ...others]) {
    if (room) rooms.add(room)
    for (const person of people) speakers.add(person)
  }
  const references = new Map(
    [...wishes].map(([each, { room, people }]): [C, References] => [
      each,
      {
        ...(hasChanged(each, placeColumns) && { inRoom: room && rooms.find(room) }),
        ...(hasChanged(each, speakerColumns) && { people: people.map(speakers.find) }),
      },
    ]),
  )
  return { references, parts: [...rooms.written(), ...speakers.written()] }
}

const textsBefore = (event: CorrectedEvent['event']): Projection => (event.id === undefined ? noTexts : event)

const textsAfter = ({ event, correction }: CorrectedEvent): Projection => ({ ...textsBefore(event), ...correction })

const hasChanged = (each: CorrectedEvent, columns: readonly (keyof Projection)[]): boolean => {
  const [before, after] = [textsBefore(each.event), textsAfter(each)]
  return columns.some((column) => before[column] !== after[column])
}

/** Whether several names are one speaker, because it is unclear whose each position and company is. */
export const areJoined = ({ people = [] }: References): boolean =>
  people.length === 1 && people.every(({ change, values }) => change === 'new' && splitNames(values.name).length > 1)

const placeKey = ({ name, building, address }: Place) => JSON.stringify([name, building, address])
const personKey = ({ source, name, position, company }: Person & { source: string }) =>
  JSON.stringify([source, name, position, company])

/**
 * Creates a finder of the rooms or speakers with wished values.
 * @param keyOf what two records with the same texts have in common
 */
function createPartFinder<K extends 'room' | 'speaker'>(
  kind: K,
  stored: readonly StoredRecord<K>[],
  keyOf: (values: Wish<K>['values'] | StoredRecord<K>) => string,
) {
  const byKey = new Map(stored.map((row) => [keyOf(row), row]))
  /** The keys that events need of each record. */
  const needed = new Map<StoredRecord<K>, Set<string>>()
  const planned = new Map<string, PlannedPart<K>>()

  const plan = ({ was, values }: Wish<K>, key: string): PlannedPart<K> => {
    const row = was && keyOf(was) === key ? was : byKey.get(key)
    if (row) return planPart(kind, row, row, {})
    if (was && needed.get(was)?.size === 1) return planPart(kind, was, was, { ...values })
    const sort = kind === 'room' ? { sort: stored.length + planned.size } : {}
    return planPart(kind, undefined, toCopied(was, values), { ...values, ...sort })
  }

  return {
    /** All have to be added before one is found. */
    add({ was, values }: Wish<K>): void {
      const key = keyOf(values)
      for (const row of new Set([was, byKey.get(key)]))
        if (row) needed.set(row, (needed.get(row) ?? new Set()).add(key))
    },
    find(wish: Wish<K>): PlannedPart<K> {
      const key = keyOf(wish.values)
      const part = planned.get(key) ?? plan(wish, key)
      if (part.change !== 'unchanged') planned.set(key, part)
      return part
    },
    written: () => [...planned.values()],
  }
}

/** What a new record has of the one that it replaces: another person has another biography. */
function toCopied(was: object | undefined, { name }: { name: string }): Record<string, unknown> {
  if (!was) return {}
  if ('capacity' in was && 'description' in was) return { capacity: was.capacity, description: was.description }
  const { biography, photo, links } = was as ProgramRecord<'speaker'>
  return 'name' in was && was.name === name ? { biography, photo, links } : {}
}
