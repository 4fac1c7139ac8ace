import { type Clash, findClashes, type TimedSession } from '../../../core/clashes.ts'
import { isExported } from '../source.ts'
import type { PlannedPart, StoredParts } from './program-parts-plan.ts'
import type { PlannedSession } from './program-plan.ts'
import type { EventWithSpeakers } from './session-event.ts'

interface SessionOfPlan extends TimedSession {
  isInFile: boolean
}

/** A clash with the name of the room or speaker. */
export interface NamedClash extends Clash<TimedSession> {
  name: string
}

/**
 * Finds the clashes that the program would have after an import: those of sessions of the file, also with stored ones of
 * other days and programs.
 * @param events all that are stored
 * @param parts the titles in the programmes of events
 */
export function findPlannedClashes(
  plan: readonly PlannedSession[],
  events: readonly EventWithSpeakers[],
  stored: StoredParts,
  parts: ReadonlyMap<number, readonly string[]>,
): NamedClash[] {
  const names = new Map<unknown, string>([
    ...stored.room.map(({ id, name }) => [`room ${id}`, name] as const),
    ...stored.speaker.map(({ id, name }) => [`speaker ${id}`, name] as const),
  ])
  /** What is new has no id yet. */
  const identify = (part: PlannedPart<'room' | 'speaker'>): unknown => {
    const key = part.id === undefined ? part : `${part.kind} ${part.id}`
    names.set(key, part.values.name)
    return key
  }
  const inFile = plan.flatMap((planned): SessionOfPlan[] => {
    const { session, eventId } = planned
    if (!session) return []
    const { title, date_from: startsAt, date_to: endsAt, is_cancelled } = planned.values
    return [
      {
        ...{ title, startsAt, endsAt, isCancelled: is_cancelled === 1, isInFile: true },
        room: session.inRoom && identify(session.inRoom),
        speakers: session.people.map(identify),
        parts: (isExported(session) && eventId !== undefined && parts.get(eventId)) || [],
      },
    ]
  })
  const planned = new Set(plan.flatMap(({ eventId }) => eventId ?? []))
  const others = events
    .filter(({ id }) => !planned.has(id))
    .map(
      (event): SessionOfPlan => ({
        title: event.title,
        startsAt: event.date_from,
        endsAt: event.date_to,
        room: event.room_id === null ? undefined : `room ${event.room_id}`,
        speakers: event.speakers.map((id) => `speaker ${id}`),
        isCancelled: event.is_cancelled === 1,
        parts: parts.get(event.id) ?? [],
        isInFile: false,
      }),
    )
  return findClashes([...inFile, ...others], ({ isInFile }) => isInFile).map((clash) => ({
    ...clash,
    name: names.get(clash.shared) ?? '',
  }))
}
