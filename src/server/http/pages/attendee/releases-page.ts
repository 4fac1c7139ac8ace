import type { Release, ReleasedEvent } from '../../../../contract/revisions.ts'
import { text } from '../../../../web/text/en.ts'
import { clockTime, dateOf, longDate } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { pager, skippedIn } from '../paging.ts'
import { describeSlot } from './sessions.ts'
import { type AttendeePage, indexOf, type PageRequest } from './site.ts'

const words = text.releases

const releasesPerPage = 20

/** What has changed in the program since it came out. */
export const releasesPage: AttendeePage = {
  path: '/releases',
  operation: 'listReleases',
  query: ['from'],
  render: async (request) => {
    const { read, query, frame } = request
    const from = skippedIn(query)
    // One more tells whether there is another page.
    const { releases } = await read('listReleases', { offset: from, limit: releasesPerPage + 1 })
    if (releases.length === 0 && from > 0) return { redirect: '/releases' }
    // A feed reader cannot sign in.
    const hasFeed = frame.isPublic || frame.audience === 'open'
    return {
      title: words.title,
      content: html`${hasFeed && html`<p><a href="${frame.base}/api/program/export/releases.atom">${words.feed}</a></p>`}
${releases.length === 0 && html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p></div>`}
${releases.slice(0, releasesPerPage).map((release) => releaseItem(release, request))}
${pager({
  path: `${frame.base}/releases`,
  from,
  size: releasesPerPage,
  hasNext: releases.length > releasesPerPage,
  words: { previous: words.newer, next: words.older },
})}`,
    }
  },
}

const releaseItem = (release: Release, request: PageRequest): Html => html`<section class="release">
<h2><time datetime="${release.at}">${longDate(dateOf(release.at))}, ${clockTime(release.at)}</time></h2>
${release.is_undone && html`<p><span class="tag warn">${words.undone}</span></p>\n`}${release.note !== '' && html`<p class="prose plain" dir="auto">${release.note}</p>\n`}${release.is_first && html`<p>${words.first}</p>\n`}${listOf(release, request)}</section>
`

function listOf({ events, rooms, tracks }: Release, request: PageRequest): Html | undefined {
  if (events.length + rooms.length + tracks.length === 0) return undefined
  return html`<ul class="changes">
${events.map((event) => changeItem(event, request))}${rooms.map(({ from, to }) => html`<li dir="auto">${words.renamedRoom(from, to)}</li>\n`)}${tracks.map(({ from, to }) => html`<li dir="auto">${words.renamedTrack(from, to)}</li>\n`)}</ul>
`
}

/** What has changed of a session, with a link to it. */
export function changeItem({ event_id, title, changes, from, to }: ReleasedEvent, request: PageRequest): Html {
  const { schedule, frame } = request
  const isPublic = indexOf(schedule).events.has(event_id)
  const tags = changes.map((change) => html`<span class="tag${toneOf[change] ?? ''}">${words.changes[change]}</span> `)
  const name = isPublic
    ? html`<a href="${frame.base}/sessions/${event_id}" dir="auto">${title}</a>`
    : html`<span dir="auto">${title}</span>`
  return html`<li>${tags}${name}${from && to && html`<br><span class="quiet" dir="auto">${words.fromTo(...describeMove(from, to))}</span>`}</li>
`
}

const toneOf: Partial<Record<string, string>> = { cancelled: ' bad', moved: ' warn' }

type ReleasedSlot = NonNullable<ReleasedEvent['from']>

/** Both in full only where both the time and the room are others. */
function describeMove(from: ReleasedSlot, to: ReleasedSlot): [string, string] {
  const [hasOtherStart, hasOtherRoom] = [from.starts_at !== to.starts_at, from.room !== to.room]
  if (hasOtherRoom && !hasOtherStart && to.room !== null) return [describe(from), to.room]
  if (hasOtherStart || hasOtherRoom) {
    const [before, after] = hasOtherRoom ? [from, to] : [from, to].map((slot) => ({ ...slot, room: null }))
    return [describe(before ?? from), describe(after ?? to)]
  }
  // Only the end is another.
  const [before, after] = [from, to].map(({ ends_at }) => (ends_at === null ? '' : `–${clockTime(ends_at)}`))
  const start = describeSlot({ ...from, room: null })
  return [`${start}${before}`, `${start}${after}`]
}

const describe = (slot: Pick<ReleasedSlot, 'starts_at' | 'room'>): string =>
  describeSlot(slot) || text.program.withoutTime
