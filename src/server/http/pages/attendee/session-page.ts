import type { ScheduleEventDetails } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { Failure } from '../../../core/failure.ts'
import type { EventId } from '../../../core/ids.ts'
import { clockTime, dateOf, longDate, longDay, span } from '../dates.ts'
import { Html, html } from '../html.ts'
import { type Frame, localPath, type Page } from '../layout.ts'
import { linksOf } from './linked-text.ts'
import { speakerItem } from './persons.ts'
import { languageName } from './program-page.ts'
import { describeSlot, languageOf, readMoves, sessionItem, slotsOn, starButton, trackLabel } from './sessions.ts'
import { type AttendeePage, idIn, type PageRequest, trackStyle } from './site.ts'

const words = text.session

/** Sessions that take place at the same time and are listed; a large conference has dozens of them. */
const maxSameTime = 12

/** A session, with everything about it. */
export const sessionPage: AttendeePage = {
  path: '/sessions/:id',
  operation: 'getScheduleEvent',
  render: async (request): Promise<Page> => {
    const { read, schedule, params, frame } = request
    const { event } = await read('getScheduleEvent', { id: idIn<EventId>(params, new Failure('EVENT_NOT_FOUND')) })
    const move = (await readMoves(request)).get(event.id)
    const banner = localPath(frame, event.banner_url)
    const description = plainStart(event.description || event.subtitle)
    const texts = textsOf(event)
    const others = sameTime(event, request)
    return {
      title: event.title,
      tab: 'program',
      isIndexed: true,
      hasAside: others !== undefined,
      description,
      image: banner,
      style: trackStyle(schedule.tracks),
      jsonLd: structuredData(event, request),
      heading: html`${event.day !== null && html`<p><a class="back" href="${frame.base}/program/${event.day}">${longDay(event.day)}</a></p>\n`}<p>${event.is_cancelled && html`<span class="tag bad">${words.cancelled}</span> `}${event.type !== '' && html`<span class="tag" dir="auto">${event.type}</span> `}${event.track && trackLabel(event.track)}</p>
<h1 dir="auto"${languageOf(event.language)}${event.is_cancelled && html` class="cancelled"`}>${event.title}</h1>
${event.subtitle !== '' && html`<p class="lead" dir="auto"${languageOf(event.language)}>${event.subtitle}</p>`}`,
      content: html`${event.is_cancelled && html`<p class="notice bad">${words.cancelledNotice}</p>`}
${move && html`<p class="notice warn"><strong>${words.moved}.</strong> ${words.movedFrom(describeSlot(move.from))} ${words.changed(`${longDay(dateOf(move.at))}, ${clockTime(move.at)}`)}</p>`}
${banner !== undefined && html`<img class="banner" src="${banner}" alt="" width="1200" height="675">`}
${factsOf(event, frame)}
<p class="actions">${starButton(event, true)}${event.starts_at !== null && html`<a class="button" href="${frame.base}/api/program/export/schedule.ics?events=${event.id}">${words.calendar}</a>`}</p>
${texts.map((fragment) => html`<div class="prose" dir="auto"${languageOf(event.language)}>${new Html(fragment)}</div>\n`)}${event.do_not_record && html`<p class="hint">${words.noRecording}</p>`}
${partsOf(event)}
${linksOf(event.links, words.links)}
${event.speakers.length > 0 && html`<section class="speakers">\n<h2>${words.with}</h2>\n<ul>${event.speakers.map((speaker) => speakerItem(speaker, frame))}</ul>\n</section>`}
${others}`,
    }
  },
}

function factsOf(event: ScheduleEventDetails, { base }: Frame): Html {
  const { starts_at, ends_at, room, speakers, language, tags } = event
  const fact = (name: string, value: Html | string) => html`<dt>${name}</dt><dd>${value}</dd>\n`
  const place = room && [room.name, room.building, room.address].filter((part) => part !== '')
  return html`<dl class="facts">
${fact(words.when, starts_at === null ? words.noTime : html`${longDate(dateOf(starts_at))}, ${span({ starts_at, ends_at })} <span class="quiet" data-own-time="${starts_at}" hidden></span>`)}${place && fact(words.where, html`<span dir="auto">${place.join(', ')}</span>`)}${
  speakers.length > 0 &&
  fact(
    words.with,
    html`${speakers.map(({ id, name }, index) => html`${index > 0 && ', '}<a href="${base}/speakers/${id}" dir="auto">${name}</a>`)}`,
  )
}${language !== '' && fact(words.language, languageName(language))}${tags.length > 0 && fact(words.tags, html`<span dir="auto">${tags.join(', ')}</span>`)}</dl>`
}

/** The parts of a session that has several, by day. */
function partsOf({ activities }: ScheduleEventDetails): Html | undefined {
  if (activities.length === 0) return undefined
  return html`<section>
<h2>${words.parts}</h2>
<ul class="rows">
${activities.map(({ day, time, title }) => html`<li><span class="quiet">${longDay(day)}, <time>${time.slice(0, 5)}</time></span> <span dir="auto">${title}</span></li>\n`)}</ul>
</section>`
}

/** Other sessions at the time of this one. */
function sameTime(
  { id, starts_at, ends_at, day }: ScheduleEventDetails,
  { schedule, frame }: PageRequest,
): Html | undefined {
  if (starts_at === null || day === null) return undefined
  const [start, end] = [Date.parse(starts_at), Date.parse(ends_at ?? starts_at)]
  const slots = slotsOn(schedule, day).filter(
    ({ event, part }) =>
      event.id !== id &&
      part === undefined &&
      !event.is_cancelled &&
      event.starts_at !== null &&
      Date.parse(event.starts_at) < Math.max(end, start + 1) &&
      Date.parse(event.ends_at ?? event.starts_at) > start,
  )
  if (slots.length === 0) return undefined
  return html`<aside class="card">
<h2>${words.sameTime}</h2>
<ul>
${slots.slice(0, maxSameTime).map((slot) => sessionItem(slot, { base: frame.base, schedule }))}</ul>
</aside>`
}

/** The texts about a session, without one that the other repeats, as programs from call-for-papers software do. */
function textsOf({ description, details }: ScheduleEventDetails): string[] {
  if (description === '' || details === '') return [description, details].filter((fragment) => fragment !== '')
  const [first, second] = [plainOf(description), plainOf(details)]
  if (second.startsWith(first)) return [details]
  return first.startsWith(second) ? [description] : [description, details]
}

/** An HTML fragment as text on one line. */
const plainOf = (fragment: string): string =>
  fragment
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The first sentences of an HTML fragment, as text. */
export function plainStart(fragment: string): string | undefined {
  const plain = plainOf(fragment)
  if (plain === '') return undefined
  return plain.length <= 200 ? plain : `${plain.slice(0, 200).replace(/\s\S*$/, '')} …`
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** https://schema.org/Event */
function structuredData(event: ScheduleEventDetails, { schedule, frame }: PageRequest): object {
  const { starts_at, ends_at, room, speakers, is_cancelled } = event
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    url: `${frame.baseUrl}/sessions/${event.id}`,
    description: plainStart(event.description),
    startDate: starts_at ?? undefined,
    endDate: ends_at ?? undefined,
    eventStatus: `https://schema.org/${is_cancelled ? 'EventCancelled' : 'EventScheduled'}`,
    location: room
      ? { '@type': 'Place', name: room.name, address: room.address || room.building || room.name }
      : undefined,
    performer: speakers.map(({ name }) => ({ '@type': 'Person', name })),
    superEvent: { '@type': 'Event', name: schedule.conference.title, url: `${frame.baseUrl}/` },
  }
}
