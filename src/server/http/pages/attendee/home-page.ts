import type { Post } from '../../../../contract/feed.ts'
import type { ReleasedEvent } from '../../../../contract/revisions.ts'
import type { Schedule } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { dayMs } from '../../../core/time-units.ts'
import { dateRange, longDay, momentFormatter } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { localPath, nameOf } from '../layout.ts'
import { authorName } from './posts.ts'
import { dateAt } from './program-page.ts'
import { changeItem } from './releases-page.ts'
import { sessionItem } from './sessions.ts'
import { type AttendeePage, type PageRequest, trackStyle } from './site.ts'
import { nextMidnight, type TimedSlot, timelineOf } from './timeline.ts'

const words = text.home

/** How many of each are shown; the rest is a link away. */
const most = { now: 12, next: 8, changes: 8, posts: 3 }

/** Releases that are looked through for changes of the last day. */
const recentReleases = 20

/** What is on and what comes next; before and after the conference, what fits then. */
export const homePage: AttendeePage = {
  path: '/',
  operation: 'getSchedule',
  render: async (request) => {
    const { schedule, read, frame } = request
    const { conference } = schedule
    const name = nameOf(conference)
    const place = placeOf(schedule)
    const { first_day, last_day } = conference
    const dates = first_day !== null && last_day !== null ? dateRange(first_day, last_day) : undefined
    const { posts } = await read('readFeed', { offset: 0, limit: most.posts })
    const { content, changes, until } = await whatFits(request)
    const news =
      posts.length > 0 &&
      section(
        words.feed,
        html`<ul class="news">\n${posts.map((post) => newsItem(post, request))}</ul>`,
        link(frame.base, '/feed', words.allFeed),
      )
    return {
      title: name,
      tab: 'now',
      isIndexed: true,
      description: [name, dates, place].filter((part) => part !== undefined).join(', '),
      image: localPath(frame, conference.logo_url),
      style: trackStyle(schedule.tracks),
      jsonLd: structuredData(request, name, place),
      validUntil: until,
      heading: html`<header class="conference">
<h1 dir="auto">${name}</h1>
${(dates ?? place) !== undefined && html`<p class="quiet" dir="auto">${[dates, place].filter((part) => part !== undefined).join(' · ')}</p>\n`}</header>`,
      content: html`<div class="home" id="home"${until !== undefined && html` data-until="${new Date(until).toISOString()}"`}>
<div>
${content}</div>
${(changes || news) && html`<div>\n${changes}${news}</div>\n`}</div>`,
    }
  },
}

interface Content {
  content: Html
  /** Of the last day. */
  changes?: Html | undefined
  /** When it is out of date, in milliseconds since 1970. */
  until: number | undefined
}

async function whatFits(request: PageRequest): Promise<Content> {
  const { schedule, frame, now } = request
  const timeline = timelineOf(schedule)
  const [first] = timeline
  if (!first) {
    const isEmpty = schedule.events.length === 0
    const content = isEmpty
      ? html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p></div>`
      : html`<p>${link(frame.base, '/program', words.wholeProgram)}</p>`
    return { content, until: undefined }
  }
  const zone = schedule.conference.time_zone
  if (now < first.start) return { content: before(first, timeline, request), until: first.start }
  // Nobody knows when a part ends: the day does.
  const end = Math.max(...timeline.map((slot) => (slot.end > slot.start ? slot.end : nextMidnight(slot.start, zone))))
  if (now >= end)
    return {
      content: html`<section class="card"><h2>${words.after}</h2><p>${words.afterHint}</p><p>${link(frame.base, '/program', words.wholeProgram)}</p></section>`,
      until: undefined,
    }
  return during(timeline, end, request)
}

function before(first: TimedSlot, timeline: readonly TimedSlot[], { schedule, frame }: PageRequest): Html {
  const { base } = frame
  const firstDay = timeline.filter(({ day }) => day === first.day)
  return section(
    words.before(longDay(first.day)),
    html`<ul class="list">\n${firstDay.slice(0, most.next).map((slot) => sessionItem(slot, { base, schedule }))}</ul>`,
    link(base, `/program/${first.day}`, words.wholeProgram),
  )
}

async function during(timeline: readonly TimedSlot[], end: number, request: PageRequest): Promise<Content> {
  const { schedule, frame, now } = request
  const { base } = frame
  const zone = schedule.conference.time_zone
  const on = inOrderOfRooms(
    timeline.filter((slot) => slot.start <= now && now < slot.end),
    schedule,
  )
  const coming = timeline.filter(({ start }) => start > now)
  const [soonest] = coming
  const next = coming.filter(({ day }) => day === soonest?.day).slice(0, most.next)
  const today = on[0]?.day ?? soonest?.day ?? dateAt(now, zone)
  const changes = await changesOfLastDay(request)
  const options = { base, schedule }
  const content = html`${section(
    words.now,
    on.length === 0
      ? html`<p>${words.nothingNow}</p>`
      : html`<ul class="list">\n${on.slice(0, most.now).map((slot) => sessionItem(slot, options))}</ul>`,
    on.length > most.now ? link(base, `/program/${today}`, words.moreNow(on.length - most.now)) : undefined,
  )}
${
  soonest &&
  section(
    dateAt(soonest.start, zone) === dateAt(now, zone) ? words.next : words.nextOn(longDay(soonest.day)),
    html`<ul class="list">\n${next.map((slot) => sessionItem(slot, options))}</ul>`,
    link(base, `/program/${soonest.day}`, words.wholeDay),
  )
}`
  const boundaries = timeline.flatMap((slot) => [slot.start, slot.end]).filter((time) => time > now)
  const until = Math.min(...boundaries, end, nextMidnight(now, zone), changes.until)
  return { content, changes: changesSection(changes.events, request), until }
}

const changesSection = (events: readonly ReleasedEvent[], request: PageRequest): Html | undefined =>
  events.length === 0
    ? undefined
    : section(
        words.changes,
        html`<ul class="changes">\n${events.slice(0, most.changes).map((event) => changeItem(event, request))}</ul>`,
        link(request.frame.base, '/releases', words.allChanges),
      )

/** As the organizers list the rooms, in which the large ones come first. */
function inOrderOfRooms(slots: readonly TimedSlot[], { rooms }: Schedule): TimedSlot[] {
  const order = new Map(rooms.map(({ id }, index) => [id, index]))
  const placeIn = ({ event }: TimedSlot) => order.get(event.room_id ?? '') ?? rooms.length
  return slots.toSorted((a, b) => placeIn(a) - placeIn(b))
}

async function changesOfLastDay({ read, now }: PageRequest): Promise<{ events: ReleasedEvent[]; until: number }> {
  const { releases } = await read('listReleases', { offset: 0, limit: recentReleases })
  const recent = releases.filter(({ at, is_undone }) => !is_undone && Date.parse(at) + dayMs > now)
  const ends = recent.map(({ at }) => Date.parse(at) + dayMs)
  return { events: recent.flatMap(({ events }) => events), until: Math.min(Number.POSITIVE_INFINITY, ...ends) }
}

const section = (heading: string, content: Html, more: Html | undefined): Html => html`<section>
<h2>${heading}</h2>
${content}
${more && html`<p>${more}</p>\n`}</section>
`

const link = (base: string, path: string, label: string): Html =>
  html`<a class="more" href="${base}${path}">${label}</a>`

/** A post in short. */
function newsItem({ id, header, body, author, created_at }: Post, { schedule, frame }: PageRequest): Html {
  const name = authorName(author) ?? text.feed.formerParticipant
  const at = momentFormatter(schedule.conference.time_zone)(created_at)
  return html`<li><h3><a href="${frame.base}/feed/${id}" dir="auto">${header || text.feed.untitled}</a></h3>
${body !== '' && html`<p class="excerpt" dir="auto">${start(body)}</p>\n`}<p class="quiet"><span dir="auto">${name}</span> · <time datetime="${created_at}" data-relative>${at}</time></p></li>
`
}

const longestExcerpt = 300

/** The first characters, none of which is cut in two. */
const start = (body: string): string => [...body.slice(0, 2 * longestExcerpt)].slice(0, longestExcerpt).join('')

/** Where all of it takes place; undefined for several places, and if nobody has said it. */
function placeOf({ rooms }: Schedule): string | undefined {
  const places = new Set(rooms.map(({ building, address }) => [building, address].filter(Boolean).join(', ')))
  places.delete('')
  return places.size === 1 ? [...places][0] : undefined
}

/** https://schema.org/Event */
function structuredData({ schedule, frame }: PageRequest, name: string, place: string | undefined): object {
  const { first_day, last_day, url, logo_url } = schedule.conference
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name,
    url: `${frame.baseUrl}/`,
    sameAs: url || undefined,
    startDate: first_day ?? undefined,
    endDate: last_day ?? undefined,
    image: logo_url ?? undefined,
    eventStatus: 'https://schema.org/EventScheduled',
    location: place === undefined ? undefined : { '@type': 'Place', name: place, address: place },
  }
}
