import { type Draft, type DraftEvent, maxEntries } from '../../../../contract/editing.ts'
import type { Data } from '../../../../contract/index.ts'
import type { ReleasedEvent } from '../../../../contract/revisions.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { changeText, releaseText } from '../attendee/releases-page.ts'
import { describeSlot } from '../attendee/sessions.ts'
import type { Fields } from '../form.ts'
import { type Html, html } from '../html.ts'
import { type ConsolePage, type ConsoleRequest, isUnpublished } from './console.ts'
import { openEdit, withoutReturns } from './edit.ts'
import { areaField } from './fields.ts'
import { changedNotice, doneQuery } from './notices.ts'
import { byId, revisionItem } from './revisions.ts'

const { publish } = consoleText

const path = '/console/publish'
const next = (data: unknown) => path + doneQuery((data as Data<'publish'>).revision_id)

/** Where organizers see what is not published, and publish it. */
export const publishPage: ConsolePage = {
  path,
  operation: 'getDraft',
  tab: 'publish',
  view: publish.title,
  forms: [
    { path, operation: 'publish', readForm: withEvents, notice: changedNotice, next },
    { path: `${path}/discard`, operation: 'discardDraft', readForm: withEvents, notice: changedNotice, next },
  ],
  async render(request) {
    const { draft } = await request.read('getDraft', {})
    const { release } = await request.read('planPublication', {})
    const rows = rowsOf(draft.events, release)
    return {
      title: publish.title,
      isNarrow: true,
      content: rows.length === 0 ? await whenEmpty(request, draft) : formOf(request, draft, rows, release),
    }
  },
}

type Release = Data<'planPublication'>['release']
type Group = keyof typeof publish.groups
const groups = Object.keys(publish.groups) as Group[]

/** A session that is not published as it is. */
interface Row {
  event: DraftEvent
  /** What attendees will read of it; nothing for some changes. */
  change: ReleasedEvent
  group: Group
}

/** Where no box is ticked, no session is meant, and not all. */
function withEvents(sent: Fields): Fields {
  const { all, ...members } = withoutReturns(sent)
  return all === 'true' ? members : { events: '', ...members }
}

/** The newest revision of what the page shows. */
const newestOf = ({ events }: Draft): number => events.reduce((newest, { revision }) => Math.max(newest, revision), 0)

function rowsOf(events: readonly DraftEvent[], release: Release): Row[] {
  const released = new Map(release.events.map((event) => [event.event_id, event]))
  return events.flatMap((event): Row[] => {
    if (!isUnpublished(event)) return []
    const { id: event_id, title, is_published, is_deleted } = event
    const change = released.get(event_id) ?? { event_id, title, changes: is_published ? [] : ['new'] }
    const named: readonly string[] = is_deleted ? ['removed'] : change.changes
    return [{ event, change, group: groups.find((group) => named.includes(group)) ?? 'other' }]
  })
}

/** The ids of the sessions whose boxes are ticked; undefined for all. */
function tickedIn({ query, attempt }: ConsoleRequest): ReadonlySet<string> | undefined {
  if (attempt) return attempt.sent.all === 'true' ? undefined : new Set([attempt.sent.events ?? []].flat().map(String))
  if (!query.has('event') && !query.has('events')) return undefined
  return new Set([...query.getAll('event'), ...query.getAll('events')])
}

function formOf(request: ConsoleRequest, draft: Draft, rows: readonly Row[], release: Release): Html {
  const { base, query, attempt } = request
  const ticked = tickedIn(request)
  const chosen = ticked ? rows.filter(({ event }) => ticked.has(event.id)) : rows
  const hasBoxes = rows.length <= maxEntries
  // More cannot be named, and are published together: only those that an address names have a box.
  const shown = hasBoxes || !ticked ? rows : chosen
  const isAll = !hasBoxes && !ticked
  const edit = openEdit({ note: query.get('note') ?? '' }, undefined, attempt)
  const note = String(edit.values.note ?? '')
  const canDiscard = chosen.some(({ event }) => event.is_published)
  const isFirst = !draft.events.some(({ is_published }) => is_published)
  const ofGroup = Map.groupBy(shown, ({ group }) => group)
  const options = { base, draft, isFirst, ticked, isAll }
  const sections = groups.flatMap((group) => groupOf(group, ofGroup.get(group) ?? [], options) ?? [])
  return html`<p>${isFirst ? html`<b>${publish.first(rows.length)}</b>` : publish.unpublished(rows.length)} <a href="${base}/releases">${publish.seen}</a></p>
${clashesOf(request, draft, chosen)}<form method="post" action="${base}${path}" class="publication" id="publication">
<input type="hidden" name="revision" value="${newestOf(draft)}">
${isAll ? html`<input type="hidden" name="all" value="true">\n<p>${publish.many(rows.length)}</p>\n` : html`<p class="actions">${publish.chosen} <a href="${base}${path}">${publish.all}</a> <a href="${base}${path}?events=">${publish.none}</a></p>\n`}${sections}${areaField(edit, { name: 'note', label: publish.note, hint: publish.noteHint, rows: 3 })}
<section class="card" aria-labelledby="preview">
<h2 id="preview">${publish.preview}</h2>
${previewOf(chosen, release, note)}
<p class="hint">${publish.previewOf}</p>
${!isAll && rows.length <= maxInAddress && html`<p><button formmethod="get" formaction="${base}${path}#preview">${publish.previewShow}</button></p>\n`}</section>
<p class="actions save-bar"><button class="primary" data-count="events" data-one="${publish.publishOne}" data-many="${publish.publishMany}">${publish.publish}</button></p>
${
  canDiscard &&
  html`<details><summary>${publish.discard}</summary>
<p>${publish.discardHint}</p>
<p class="actions"><button class="danger" formaction="${base}${path}/discard">${publish.discardChosen}</button></p></details>\n`
}</form>
`
}

/** The most chosen sessions in an address, which servers and proxies limit. */
const maxInAddress = 300

/** A release as attendees will read it: of some sessions, what is listed of these. */
function previewOf(chosen: readonly Row[], { is_first, events }: Release, note: string): Html {
  const ids = new Set(chosen.map(({ event }) => event.id))
  const release = {
    ...{ note, is_first: is_first && ids.size > 0, rooms: [], tracks: [] },
    events: events.filter(({ event_id }) => ids.has(event_id)),
  }
  if (release.note === '' && !release.is_first && release.events.length === 0)
    return html`<p>${publish.previewEmpty}</p>`
  return html`<div class="release">${releaseText(release, nameOf)}</div>`
}

const nameOf = ({ title }: ReleasedEvent): Html => html`<b dir="auto">${title}</b>`

/** `description, tags` */
const namesOf = (members: readonly string[]): string =>
  members.map((member) => consoleText.sessionMembers[member]?.toLowerCase() ?? member).join(', ')

interface GroupOptions {
  base: string
  draft: Draft
  isFirst: boolean
  ticked: ReadonlySet<string> | undefined
  isAll: boolean
}

/** Longer groups are closed at first. */
const longestGroup = 20

function groupOf(group: Group, rows: readonly Row[], options: GroupOptions): Html | undefined {
  if (rows.length === 0) return undefined
  const hint = group === 'other' ? publish.otherHint : group === 'removed' ? publish.removedHint : undefined
  const isClosed = options.isFirst || rows.length > longestGroup
  const rooms = new Map(options.draft.rooms.list.map(({ id, name }) => [id, name]))
  const list = html`<ul class="changes">\n${rows.map((row) => rowItem(row, rooms, options))}</ul>\n`
  return html`<section>
<h2>${publish.groups[group]} <span class="quiet">${rows.length}</span></h2>
${hint !== undefined && html`<p class="hint">${hint}</p>\n`}${isClosed ? html`<details><summary>${options.isAll ? publish.show(rows.length) : publish.choose}</summary>\n${list}</details>\n` : list}</section>
`
}

function rowItem(
  { event, change, group }: Row,
  rooms: ReadonlyMap<string, string>,
  { base, ticked, isAll }: GroupOptions,
): Html {
  const { id, title, starts_at, room_id, changes } = event
  const link = html`<a href="${base}/console/sessions/${id}" dir="auto">${title}</a>`
  const slot = describeSlot({ starts_at, room: room_id === null ? null : (rooms.get(room_id) ?? null) })
  const others = group === 'other' ? namesOf(changes) : slot
  const isTicked = !ticked || ticked.has(id)
  return html`<li>${!isAll && html`<label class="box"><input type="checkbox" name="events" value="${id}" aria-label="${publish.tick(title)}"${isTicked && html` checked`}></label>\n`}<div>${changeText(change, link)}${!change.from && others !== '' && html`<br><span class="quiet" dir="auto">${others}</span>`}</div></li>
`
}

/** The most clashes that are named, and those that are at once. */
const maxClashes = 50
const shownClashes = 3

/** What will clash: a warning, as organizers may know better. */
function clashesOf({ base }: ConsoleRequest, draft: Draft, chosen: readonly Row[]): Html | undefined {
  const ids = new Set(chosen.map(({ event }) => event.id))
  const clashes = draft.clashes.filter(({ event_ids }) => event_ids.some((id) => ids.has(id)))
  if (clashes.length === 0) return undefined
  const titles = new Map(draft.events.map(({ id, title }) => [id, title]))
  const names = {
    room: new Map(draft.rooms.list.map(({ id, name }) => [id, name])),
    speaker: new Map(draft.speakers.map(({ id, name }) => [id, name])),
  }
  const link = (id: string) => html`<a href="${base}/console/sessions/${id}" dir="auto">${titles.get(id) ?? id}</a>`
  const kinds = { room: publish.clashRoom, speaker: publish.clashSpeaker }
  const list = html`<ul>${clashes
    .slice(0, maxClashes)
    .map(
      ({ kind, id, event_ids: [first = '', second = ''] }) =>
        html`<li><span dir="auto">${kinds[kind](names[kind].get(id) ?? id)}</span> ${link(first)} ${publish.and} ${link(second)}</li>`,
    )}${clashes.length > maxClashes && html`<li>${consoleText.more(clashes.length - maxClashes)}</li>`}</ul>`
  const said = publish.clashes(clashes.length)
  return clashes.length > shownClashes
    ? html`<details class="notice warn"><summary>${said}</summary>\n${list}</details>\n`
    : html`<div class="notice warn"><p>${said}</p>\n${list}</div>\n`
}

/** How many of the newest revisions are looked through for a publication. */
const recent = 50

async function whenEmpty({ read, base }: ConsoleRequest, { events }: Draft): Promise<Html> {
  if (events.length === 0)
    return html`<div class="empty"><h2>${publish.nothing}</h2><p>${publish.nothingHint}</p></div>`
  const { revisions } = await read('listRevisions', { offset: 0, limit: recent })
  const newest = revisions.find(({ kind, is_undone }) => kind === 'publication' && !is_undone)
  return html`<div class="empty"><h2>${publish.empty}</h2><p>${publish.emptyHint}</p><p><a href="${base}/releases">${publish.seen}</a></p></div>
${newest && html`<section><h2>${publish.newest}</h2>\n<ul class="entries">\n${revisionItem(newest, byId(revisions), base)}</ul></section>`}`
}
