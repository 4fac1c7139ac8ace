import type { Draft, DraftEvent } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { invalidField } from '../../../core/failure.ts'
import { dayMs } from '../../../core/time-units.ts'
import { dateOf, longDay } from '../dates.ts'
import { type Fields, NothingChanged } from '../form.ts'
import { html } from '../html.ts'
import type { ConsolePage, ConsoleRequest } from './console.ts'
import { explain, type FormValues, openEdit, readEdit } from './edit.ts'
import { selectField, textField } from './fields.ts'
import { nameIn, saveButtons, slotText } from './session-changes.ts'
import { clashesOf, clashNotice, takenRooms } from './session-clashes.ts'
import { eventIdIn, toSession } from './session-form-page.ts'

const { move: words } = consoleText

const path = '/console/sessions/:id/move'

/** Where organizers give a session another time and room, and see who is busy then, and what is free. */
export const sessionMovePage: ConsolePage = {
  path,
  operation: 'getDraftEvent',
  tab: 'program',
  forms: [
    {
      path,
      operation: 'updateEvent',
      readForm: readMove,
      explain: (failure) => explain(failure, fieldOf),
      next: toSession,
    },
  ],
  async render({ read, base, params, query, attempt }) {
    const { event, published } = await read('getDraftEvent', { id: eventIdIn(params) })
    const { draft } = await read('getDraft', {})
    const current = placeOf(event)
    const opened = openEdit(current, event.revision, attempt)
    const chosen = Object.fromEntries(
      Object.keys(current).flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])),
    )
    const edit = { ...opened, values: { ...opened.values, ...chosen } }
    const there = movedTo(event, edit.values)
    const clashes = clashesOf(there, draft)
    const taken = takenRooms(there, draft)
    const days = [...new Set([...daysOf(draft), current.day])].filter((day) => day !== '').sort()
    const rooms = draft.rooms.list.map(({ id, name }) => {
      const other = taken.get(id)
      return [id, other ? words.taken(name, other.title) : words.free(name)] as const
    })
    const room = nameIn(draft.rooms.list, event.room_id)
    const action = `${base}/console/sessions/${event.id}`
    return {
      title: words.title(event.title),
      heading: html`<p><a class="back" href="${action}" dir="auto">${event.title}</a></p>
<h1>${words.heading}</h1>
<p>${words.now([slotText(event), room].filter((part) => part !== '').join(', '))}</p>`,
      isNarrow: true,
      content: html`<form class="card move" method="post" action="${action}/move">
${edit.hidden}
${selectField(edit, { name: 'day', label: words.day, options: [['', words.noDay], ...days.map((day) => [day, longDay(day)] as const)] })}
${textField(edit, { name: 'time', label: words.time, type: 'time', hint: words.timeHint })}
${selectField(edit, { name: 'room_id', label: words.room, options: [['', words.noRoom], ...rooms] })}
<p class="actions"><button formmethod="get">${words.look}</button></p>
<div id="clashes" role="status" data-failed="${words.lookFailed}">
${
  clashNotice(clashes, draft, base) ??
  html`<p class="notice ok">${words.noClash([slotText(there), nameIn(draft.rooms.list, there.room_id)].filter((part) => part !== '').join(', '))}</p>\n`
}</div>
${saveButtons(event, published, draft, { save: words.move, saveAndPublish: words.moveAndPublish })}</form>
`,
    }
  },
}

/** What the form shows of where and when an event is. */
const placeOf = ({ starts_at, room_id }: DraftEvent) => ({
  day: starts_at === null ? '' : dateOf(starts_at),
  time: starts_at?.slice(11, 16) ?? '',
  room_id: room_id ?? '',
})

/** The dates to choose from: those of the conference, and those on which something starts. */
function daysOf({ conference: { first_day, last_day }, events }: Draft): string[] {
  const days = new Set(events.flatMap(({ starts_at }) => (starts_at === null ? [] : [dateOf(starts_at)])))
  if (first_day !== null && last_day !== null)
    for (let at = Date.parse(first_day), count = 0; at <= Date.parse(last_day) && count < maxDays; at += dayMs, count++)
      days.add(new Date(at).toISOString().slice(0, 10))
  return [...days]
}

/** A conference that lasts longer has a date that somebody has mistyped. */
const maxDays = 31

/** An event as it would be at another time, as long as it is, and in another room. */
function movedTo(event: DraftEvent, { day, time, room_id }: FormValues): DraftEvent {
  // Beyond four digits, years end.
  const startMs = /^\d{4}-/.test(String(day)) ? Date.parse(`${day}T${time}Z`) : Number.NaN
  const inRoom = { ...event, room_id: room_id ? String(room_id) : null }
  if (Number.isNaN(startMs)) return { ...inRoom, starts_at: null, ends_at: null }
  const lengthMs = localMs(event.ends_at) - localMs(event.starts_at) || 0
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19)
  return { ...inRoom, starts_at: at(startMs), ends_at: at(startMs + lengthMs) }
}

/** A time by the clocks at the conference, as if they were those of UTC. */
const localMs = (time: string | null): number => Date.parse(`${time?.slice(0, 19)}Z`)

/**
 * Reads where a session moves. To move and to publish it are one operation, so neither is done without the other.
 * @throws NothingChanged
 */
async function readMove(sent: Fields, request: ConsoleRequest): Promise<Fields> {
  const publish = sent.publish === 'true' && { publish: 'true' }
  try {
    const { revision, room_id, ...time } = readEdit()(sent)
    return {
      revision,
      ...(room_id !== undefined && { room_id: room_id === '' ? '0' : room_id }),
      ...(Object.keys(time).length > 0 && { starts_at: startOf(sent) }),
      ...publish,
    }
  } catch (error) {
    if (!(error instanceof NothingChanged) || !publish) throw error
    // It is where it was to be, and what is not published may be.
    const { event } = await request.read('getDraftEvent', { id: eventIdIn(request.params) })
    if (event.is_published && event.changes.length === 0) throw error
    return { revision: sent.revision, ...publish }
  }
}

/** The field for a member, which for a start is two. */
const fieldOf = (member: string): { name: string; label: string } | undefined =>
  member === 'starts_at' ? { name: 'time', label: words.time } : undefined

/** Without a day there is no time, and with one there has to be. */
function startOf({ day, time }: Fields): string {
  if (day === '' && time === '') return ''
  if (day === '') throw invalidField('day', 'REQUIRED', words.needsDay)
  if (time === '') throw invalidField('time', 'REQUIRED', words.needsTime)
  return `${day} ${time}`
}
