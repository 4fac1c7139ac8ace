import type { Draft, DraftEvent } from '../../../../contract/editing.ts'
import type { ScheduleEvent } from '../../../../contract/schedule.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { clockTime, datedClock, shortDay } from '../dates.ts'
import { type Html, html } from '../html.ts'

const { session: words } = consoleText

type Names = Pick<Draft, 'rooms' | 'tracks' | 'speakers'>

/** `14 May, 09:00–10:30` */
export function slotText({ starts_at, ends_at }: Pick<ScheduleEvent, 'starts_at' | 'ends_at'>): string {
  if (starts_at === null) return words.noTime
  const start = datedClock(starts_at)
  return ends_at === null || ends_at === starts_at ? start : `${start}–${clockTime(ends_at)}`
}

/** The name of a record of a list; '' for none. */
export const nameIn = (list: readonly { id: string; name: string }[], id: string | null): string =>
  list.find((record) => record.id === id)?.name ?? ''

/** How people read each member of a session; those that are too long to compare have none. */
const readers: Readonly<Partial<Record<string, (event: ScheduleEvent, names: Names) => string>>> = {
  title: ({ title }) => title,
  subtitle: ({ subtitle }) => subtitle,
  when: slotText,
  day: ({ day }) => (day === null ? '' : shortDay(day)),
  room_id: ({ room_id }, { rooms }) => nameIn(rooms.list, room_id),
  track_id: ({ track_id }, { tracks }) => nameIn(tracks.list, track_id),
  speaker_ids: ({ speaker_ids }, { speakers }) => speaker_ids.map((id) => nameIn(speakers, id)).join(', '),
  type: ({ type }) => type,
  language: ({ language }) => language,
  tags: ({ tags }) => tags.join(', '),
  license: ({ license }) => license,
  do_not_record: ({ do_not_record }) => (do_not_record ? words.notRecorded : words.recorded),
  is_cancelled: ({ is_cancelled }) => (is_cancelled ? words.cancelled : words.takesPlace),
}

/** The changes of a session that are not published, as people read them: what it is for, from what, to what. */
export function changesOf(event: DraftEvent, published: ScheduleEvent, names: Names): string[] {
  const isMoved = event.changes.some((member) => member === 'starts_at' || member === 'ends_at')
  const members = event.changes.filter(
    (member) =>
      member !== 'starts_at' &&
      member !== 'ends_at' &&
      member !== 'is_deleted' &&
      // Both follow the start and the title, where they are not changed on their own.
      !(member === 'day' && isMoved) &&
      !(member === 'activities' && event.changes.length > 1),
  )
  return [...(isMoved ? ['when'] : []), ...members].map((member) => {
    const label = consoleText.sessionMembers[member] ?? member
    const [from, to] = [published, event].map((one) => readers[member]?.(one, names))
    return from === undefined || to === undefined || from === to ? words.changed(label) : words.fromTo(label, from, to)
  })
}

/**
 * The buttons of a form that changes a session: for its draft, and at once for attendees who see the session. What else would
 * be published with it is named.
 */
export function saveButtons(
  event: DraftEvent,
  published: ScheduleEvent | null,
  names: Names,
  { save, saveAndPublish }: { save: string; saveAndPublish: string },
): Html {
  if (!published || event.is_deleted)
    return html`<p class="actions"><button class="primary">${save}</button></p>\n${!published && html`<p class="hint">${words.firstHint}</p>\n`}`
  const others = event.changes.length > 0 ? changesOf(event, published, names) : []
  return html`<p class="actions"><button>${save}</button> <button class="primary" name="publish" value="true">${saveAndPublish}</button></p>
<p class="hint">${words.publishHint(save, saveAndPublish)}</p>
${others.length > 0 && html`<div><p class="hint">${words.withChanges}</p>\n<ul class="hint">${others.map((change) => html`<li dir="auto">${change}</li>`)}</ul></div>\n`}`
}
