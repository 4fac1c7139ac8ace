import type { Draft, DraftEvent, DraftSpeaker } from '../../../../contract/editing.ts'
import type { Room } from '../../../../contract/schedule.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { datedSpan, span } from '../dates.ts'
import { type Html, html } from '../html.ts'

const { sessions } = consoleText

/** A clash, as one of its two sessions has it. */
interface ClashWith {
  /** The other session. */
  event: DraftEvent
  /** Whom they share; undefined if it is the room. */
  speaker: DraftSpeaker | undefined
}

/** The records of a draft by their ids. */
export interface DraftIndex {
  rooms: ReadonlyMap<string, Room>
  speakers: ReadonlyMap<string, DraftSpeaker>
  clashesOf: ReadonlyMap<string, readonly ClashWith[]>
}

export function indexDraft({ rooms, speakers, events, clashes }: Draft): DraftIndex {
  const byId = <T extends { id: string }>(records: readonly T[]) =>
    new Map(records.map((record) => [record.id, record]))
  const speakersById = byId(speakers)
  const clashesOf = new Map<string, ClashWith[]>()
  const eventsById = byId(events)
  for (const { kind, id, event_ids } of clashes)
    for (const [at, eventId] of event_ids.entries()) {
      const event = eventsById.get(event_ids[1 - at] ?? '')
      if (!event) continue
      const clash = { event, speaker: kind === 'speaker' ? speakersById.get(id) : undefined }
      clashesOf.set(eventId, [...(clashesOf.get(eventId) ?? []), clash])
    }
  return { rooms: byId(rooms.list), speakers: speakersById, clashesOf }
}

/** A session in the list of editors. Time and room stand inside it, for those who do not see the headings. */
export function sessionRow(event: DraftEvent, base: string, { rooms, speakers, clashesOf }: DraftIndex): Html {
  const { id, title, starts_at, ends_at, room_id, speaker_ids, activities, is_cancelled } = event
  const room = rooms.get(room_id ?? '')
  const people = speaker_ids.flatMap((speaker) => speakers.get(speaker)?.name ?? [])
  const when = starts_at !== null ? span({ starts_at, ends_at }) : (activities[0]?.time.slice(0, 5) ?? sessions.noTime)
  const tags = tagsOf(event)
  return html`<li${is_cancelled && html` class="cancelled"`}>
<div class="what">
<h3><a href="${base}/console/sessions/${id}" dir="auto">${title}</a></h3>
${tags.length > 0 && html`<p>${tags}</p>\n`}${clashesIn(clashesOf.get(id) ?? [], base)}</div>
<p class="when">${when}</p>
<p class="where"><span dir="auto">${room?.name ?? sessions.noRoom}</span></p>
${people.length > 0 && html`<p class="who"><span dir="auto">${people.join(', ')}</span></p>\n`}</li>
`
}

/** What becomes of a session once it is published, and whether it takes place. */
function tagsOf({ is_published, is_deleted, is_cancelled, changes }: DraftEvent): Html[] {
  const { states } = sessions
  return [
    ...(is_published ? [] : [html`<span class="tag">${states.new}</span> `]),
    ...(is_deleted ? [html`<span class="tag bad">${states.removed}</span> `] : []),
    ...(is_published && !is_deleted && changes.length > 0
      ? [html`<span class="tag warn">${states.changed}</span> `]
      : []),
    ...(is_cancelled ? [html`<span class="tag bad">${states.cancelled}</span> `] : []),
  ]
}

/** In a program that was misread, a session may clash with all others. */
const shownClashes = 3

function clashesIn(clashes: readonly ClashWith[], base: string): Html | undefined {
  if (clashes.length === 0) return undefined
  const more = clashes.length - shownClashes
  return html`<ul class="clashes">
${clashes
  .slice(0, shownClashes)
  .map(
    ({ event: { id, title, starts_at, ends_at }, speaker }) =>
      html`<li><span class="tag bad">${sessions.clash}</span> <span dir="auto">${speaker ? sessions.sameSpeaker(speaker.name) : sessions.sameRoom}</span> <a href="${base}/console/sessions/${id}" dir="auto">${title}</a>${starts_at !== null && html`, ${datedSpan({ starts_at, ends_at })}`}</li>\n`,
  )}${more > 0 && html`<li>${consoleText.more(more)}</li>\n`}</ul>
`
}
