import type { Schedule, ScheduleEvent, Speaker } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { Failure } from '../../../core/failure.ts'
import { fold } from '../../../core/folded-text.ts'
import type { EventId } from '../../../core/ids.ts'
import { Html, html } from '../html.ts'
import { localPath, type Page } from '../layout.ts'
import { searchedIn } from '../paging.ts'
import { linksOf } from './linked-text.ts'
import { aboutOf, personSearch, profileHeading, speakerItem } from './persons.ts'
import { plainStart } from './session-page.ts'
import { sessionItem } from './sessions.ts'
import { type AttendeePage, indexOf, trackStyle } from './site.ts'

const words = text.speakers

/** All speakers by name, or those who are found. */
export const speakersPage: AttendeePage = {
  path: '/speakers',
  operation: 'getSchedule',
  query: ['q'],
  render: ({ frame, schedule, query }): Page => {
    const q = searchedIn(query)
    const all = inOrder(schedule)
    const speakers = q === '' ? all : all.filter(hasWords(q))
    const path = `${frame.base}/speakers`
    const count = q === '' ? undefined : speakers.length
    return {
      title: words.title,
      ...(!frame.listsPeople && { tab: 'people' }),
      isIndexed: q === '',
      content:
        all.length === 0
          ? html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p></div>`
          : html`${personSearch({ path, q, label: words.search, placeholder: text.people.placeholder, count })}
<ul class="people">
${speakers.map((speaker) => speakerItem(speaker, frame))}</ul>`,
    }
  },
}

const collator = new Intl.Collator(text.language, { sensitivity: 'base', numeric: true })

const orders = new WeakMap<Schedule, Speaker[]>()

/** In the order of names, without signs before them. Sorting hundreds by a language takes longer than writing their page. */
function inOrder(schedule: Schedule): Speaker[] {
  const known = orders.get(schedule)
  if (known) return known
  const keyed = schedule.speakers.map((speaker) => ({
    speaker,
    key: speaker.name.replace(/^[^\p{L}\p{N}]+/u, '') || '~',
  }))
  const sorted = keyed.sort((one, other) => collator.compare(one.key, other.key)).map(({ speaker }) => speaker)
  orders.set(schedule, sorted)
  return sorted
}

/** Whether every word is in the texts of a speaker. */
function hasWords(q: string): (speaker: Speaker) => boolean {
  const wanted = fold(q).split(/\s+/)
  return ({ name, company, position }) => {
    const texts = fold([name, company, position].join('\n'))
    return wanted.every((word) => texts.includes(word))
  }
}

/** A speaker with their sessions. */
export const speakerPage: AttendeePage = {
  path: '/speakers/:id',
  operation: 'getScheduleEvent',
  render: async ({ read, frame, schedule, params }): Promise<Page> => {
    const { id = '' } = params
    const speaker = indexOf(schedule).speakers.get(id)
    const events = schedule.events.filter(({ speaker_ids }) => speaker_ids.includes(id))
    const [first] = events
    if (!speaker || !first) throw new Failure('SPEAKER_NOT_FOUND')
    // A schedule with all texts is many times as large as a session.
    const { event } = await read('getScheduleEvent', { id: Number(first.id) as EventId })
    const { biography = '', links = [] } = event.speakers.find((one) => one.id === id) ?? {}
    const { name, photo_url } = speaker
    const about = aboutOf(speaker)
    const description = [about, plainStart(biography)].filter((part) => part).join('. ')
    return {
      title: name,
      ...(!frame.listsPeople && { tab: 'people' }),
      isIndexed: true,
      description: description || undefined,
      image: localPath(frame, photo_url),
      style: trackStyle(schedule.tracks),
      heading: html`<p><a class="back" href="${frame.base}/speakers">${words.title}</a></p>
${profileHeading({ name, about, photo_url }, frame)}`,
      content: html`${biography !== '' && html`<div class="prose" dir="auto">${new Html(biography)}</div>`}
${linksOf(links, words.links)}
<section class="sessions">
<h2>${words.sessions}</h2>
<ul>
${events.sort(byTime).map((event) => sessionItem({ event, part: undefined, time: undefined }, { base: frame.base, schedule, namesDay: true }))}</ul>
</section>`,
    }
  },
}

/** Those without a time come last. */
const byTime = (one: ScheduleEvent, other: ScheduleEvent): number => startOf(one) - startOf(other)

const startOf = ({ starts_at }: ScheduleEvent): number =>
  starts_at === null ? Number.MAX_VALUE : Date.parse(starts_at)
