import type { ScheduleEventDetails, Speaker } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { Failure } from '../../../core/failure.ts'
import type { EventId } from '../../../core/ids.ts'
import { Html, html } from '../html.ts'
import { type Frame, localPath, type Page } from '../layout.ts'
import { clockTime, dateOf, longDate, longDay, span } from './dates.ts'
import { languageName } from './program-page.ts'
import { describeSlot, languageOf, movesIn, sessionItem, slotsOn, starButton, trackLabel } from './sessions.ts'
import { type AttendeePage, idIn, indexOf, type PageRequest, trackStyle } from './site.ts'

const words = text.session

const recentReleases = 50

/** Sessions that take place at the same time and are listed; a large conference has dozens of them. */
const maxSameTime = 12

/** A session, with everything about it. */
export const sessionPage: AttendeePage = {
  path: '/sessions/:id',
  operation: 'getScheduleEvent',
  render: async (request): Promise<Page> => {
    const { read, schedule, params, frame } = request
    const { event } = await read('getScheduleEvent', { id: idIn<EventId>(params, new Failure('EVENT_NOT_FOUND')) })
    const { releases } = await read('listReleases', { offset: 0, limit: recentReleases })
    const move = movesIn(releases, indexOf(schedule)).get(event.id)
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
      heading: html`<p>${event.is_cancelled && html`<span class="tag bad">${words.cancelled}</span> `}${event.type !== '' && html`<span class="tag" dir="auto">${event.type}</span> `}${event.track && trackLabel(event.track)}</p>
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

/** Links that somebody wrote, for which the summit does not answer. */
export const linksOf = (links: readonly { title: string; url: string }[], heading: string): Html | undefined =>
  links.length === 0
    ? undefined
    : html`<section>
<h2>${heading}</h2>
<ul class="rows">
${links.map(({ title, url }) => html`<li>${outsideLink(url, title)}</li>\n`)}</ul>
</section>`

/** A link to another site; a text if it is not one that is safe to follow. */
export const outsideLink = (url: string, title: string): Html =>
  /^(https?:\/\/|mailto:)/i.test(url)
    ? html`<a href="${url}" rel="nofollow ugc noopener" dir="auto">${title || url}</a>`
    : html`<span dir="auto">${title || url}</span>`

/** A face with a name, as a link to the page about them. */
export function speakerItem(speaker: Speaker, frame: Pick<Frame, 'base' | 'baseUrl'>): Html {
  const about = [speaker.position, speaker.company].filter((part) => part !== '').join(', ')
  return html`<li><a class="person" href="${frame.base}/speakers/${speaker.id}">${avatar(speaker.name, localPath(frame, speaker.photo_url))}
<span><b dir="auto">${speaker.name}</b>${about !== '' && html`<span class="quiet" dir="auto">${about}</span>`}</span></a></li>
`
}

/** A face, or the initials of a name. Both are decoration beside the name. */
export const avatar = (name: string, photo: string | undefined, size?: 'large'): Html => {
  const pixels = size === 'large' ? 96 : 40
  const classes = size === 'large' ? 'avatar large' : 'avatar'
  return photo === undefined
    ? html`<span class="${classes}" aria-hidden="true">${initialsOf(name)}</span>`
    : html`<img class="${classes}" src="${photo}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`
}

const segmenter = new Intl.Segmenter()

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s·]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word = '') => [...segmenter.segment(word)][0]?.segment.toLocaleUpperCase() ?? '').join('') || '·'
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
