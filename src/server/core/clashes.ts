/** A session as far as it may clash with others. Rooms and speakers are whatever identifies them. */
export interface TimedSession {
  title: string
  /** `YYYY-MM-DD HH:MM:SS`, wall-clock time at the venue; null if it is not scheduled. */
  startsAt: string | null
  endsAt: string | null
  room: unknown
  speakers: readonly unknown[]
  isCancelled: boolean
  /** The titles in its own programme, such as a day of workshops: sessions with one of them are part of it. */
  parts: readonly string[]
}

/** Two sessions that cannot both take place as planned; the first starts earlier. */
export interface Clash<S extends TimedSession> {
  /** What they have in common: the room, or a speaker. */
  kind: 'room' | 'speaker'
  shared: unknown
  sessions: [S, S]
}

const mayClash = ({ startsAt, endsAt, isCancelled }: TimedSession): boolean =>
  startsAt !== null && endsAt !== null && startsAt < endsAt && !isCancelled

const isPartOf = ({ title }: TimedSession, { parts }: TimedSession): boolean => parts.includes(title)

/** The sessions that clash with one if they share a room or a speaker with it. */
export const findConcurrent = <S extends TimedSession>(sessions: readonly S[], session: TimedSession): S[] => {
  const { startsAt, endsAt } = session
  return sessions.filter(
    (other) =>
      mayClash(other) &&
      (other.startsAt ?? '') < (endsAt ?? '') &&
      (other.endsAt ?? '') > (startsAt ?? '~') &&
      !isPartOf(other, session) &&
      !isPartOf(session, other),
  )
}

/** The most clashes that are found: more are a misread file, in which each session clashes with each other. */
const maxClashes = 1_000

/**
 * Finds the sessions that overlap in one room, or with one speaker. One that starts as another ends does not clash with it.
 * Sessions without a room, a time or a length clash with none, and neither do cancelled ones. One that is part of another does
 * not clash with it.
 * @param counts whether the clashes of a session are looked for; those of two others are left out
 * @returns at most 1,000, those of rooms first, by start
 */
export function findClashes<S extends TimedSession>(
  sessions: readonly S[],
  counts: (session: S) => boolean = () => true,
): Clash<S>[] {
  const timed = sessions.filter(mayClash).toSorted((a, b) => ((a.startsAt ?? '') < (b.startsAt ?? '') ? -1 : 1))
  const inRoom = timed.filter(({ room }) => room !== undefined && room !== null)
  const clashes: Clash<S>[] = []
  const findIn = (kind: Clash<S>['kind'], groups: Map<unknown, S[]>) => {
    for (const [shared, group] of groups) {
      let counting: S[] = []
      let others: S[] = []
      for (const session of group) {
        const isRunning = ({ endsAt }: S) => (endsAt ?? '') > (session.startsAt ?? '')
        counting = counting.filter(isRunning)
        // Any number of others may run at once. They are gone through only where each is a clash.
        if (counts(session)) others = others.filter(isRunning)
        for (const earlier of counts(session) ? [...counting, ...others] : counting) {
          if (isPartOf(earlier, session) || isPartOf(session, earlier)) continue
          if (clashes.length === maxClashes) return
          clashes.push({ kind, shared, sessions: [earlier, session] })
        }
        if (counts(session)) counting.push(session)
        else others.push(session)
      }
    }
  }
  findIn(
    'room',
    Map.groupBy(inRoom, ({ room }) => room),
  )
  const bySpeaker = new Map<unknown, S[]>()
  for (const session of timed)
    for (const speaker of new Set(session.speakers)) {
      const group = bySpeaker.get(speaker)
      if (group) group.push(session)
      else bySpeaker.set(speaker, [session])
    }
  findIn('speaker', bySpeaker)
  return clashes
}
