import type { Draft, DraftEvent } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { findClashes, findConcurrent, type TimedSession } from '../../../core/clashes.ts'
import { type Html, html } from '../html.ts'
import { nameIn, slotText } from './session-changes.ts'

const { session: words } = consoleText

interface DraftSession extends TimedSession {
  event: DraftEvent
}

/** An event as it may clash with others, by the clocks at the conference. */
const toSession = (event: DraftEvent): DraftSession => ({
  event,
  title: event.title,
  startsAt: event.starts_at?.slice(0, 19) ?? null,
  endsAt: event.ends_at?.slice(0, 19) ?? null,
  room: event.room_id,
  speakers: event.speaker_ids,
  isCancelled: event.is_cancelled,
  parts: event.activities.map(({ title }) => title),
})

/** What an event would clash with, where and when it is or may be. */
export interface EventClash {
  kind: 'room' | 'speaker'
  /** Of the room or the speaker. */
  id: string
  other: DraftEvent
}

/** The others that take place while this one does, if they may clash with any. */
function concurrentWith(event: DraftEvent, { events }: Draft): DraftSession[] {
  const others = events.filter(({ id, is_deleted }) => id !== event.id && !is_deleted)
  return findConcurrent(others.map(toSession), toSession(event))
}

/** @param event as it is, or as it would be after a move */
export function clashesOf(event: DraftEvent, draft: Draft): EventClash[] {
  const own = toSession(event)
  return findClashes([own, ...concurrentWith(event, draft)], (session) => session === own).map(
    ({ kind, shared, sessions }) => ({
      kind,
      id: String(shared),
      other: (sessions[0] === own ? sessions[1] : sessions[0]).event,
    }),
  )
}

/** By the id of each room, what takes place there while this event does. */
export const takenRooms = (event: DraftEvent, draft: Draft): ReadonlyMap<string, DraftEvent> =>
  new Map(
    concurrentWith(event, draft).flatMap(({ event: other }) =>
      other.room_id === null ? [] : [[other.room_id, other]],
    ),
  )

/** Says what an event clashes with; nothing for nothing. */
export function clashNotice(clashes: readonly EventClash[], draft: Draft, base: string): Html | undefined {
  if (clashes.length === 0) return undefined
  return html`<div class="notice warn"><p>${words.clashes}</p>
<ul>${clashes.map(({ kind, id, other }) => {
    const who = kind === 'room' ? nameIn(draft.rooms.list, id) : nameIn(draft.speakers, id)
    const room = nameIn(draft.rooms.list, other.room_id)
    return html`<li><span dir="auto">${who}</span>: <a href="${base}/console/sessions/${other.id}" dir="auto">${other.title}</a>, ${slotText(other)}${room !== '' && kind === 'speaker' && html`, <span dir="auto">${room}</span>`}</li>`
  })}</ul></div>
`
}
