import { maxListedEvents } from '../../../../contract/program-export.ts'
import { text } from '../../../../web/text/en.ts'
import { minuteMs } from '../../../core/time-units.ts'
import { clockTime, longDay } from '../dates.ts'
import { type Html, html } from '../html.ts'
import type { Frame } from '../layout.ts'
import { type Slot, sessionItem } from './sessions.ts'
import { type AttendeePage, indexOf, type PageRequest, trackStyle } from './site.ts'
import { type TimedSlot, timelineOf } from './timeline.ts'

const words = text.plan

/** Shorter breaks are the way from one room to another. */
const shortestGap = 15 * minuteMs

/** Overlaps that are named at a session. */
const maxNotes = 3

/**
 * The sessions that somebody has starred. The stars of a browser are known to it alone: its script asks for the sessions of
 * a list, as anybody may who was sent one.
 */
export const planPage: AttendeePage = {
  path: '/plan',
  operation: 'getSchedule',
  query: ['sessions'],
  showsStars: true,
  render: (request) => {
    const { query, frame, stars, schedule } = request
    const sent = query.get('sessions')
    const isOwn = sent === null
    const { events } = indexOf(schedule)
    const wanted = [...new Set(isOwn ? (stars ?? []) : sent.split(','))]
    const ids = wanted.filter((id) => events.has(id)).slice(0, maxListedEvents)
    return {
      title: isOwn ? words.title : words.sent,
      tab: 'plan',
      style: trackStyle(schedule.tracks),
      content: html`${!isOwn && html`<p class="quiet for-screen">${words.sentHint} <a href="${frame.base}/plan">${words.toOwn}</a></p>`}
<div id="plan"${isOwn && html` data-plan="${ids.join(',')}"`}>
${ids.length === 0 ? emptyPlan(frame, isOwn) : planOf(ids, request)}
${wanted.length > maxListedEvents && html`<p class="hint">${words.most(maxListedEvents)}</p>`}</div>
${isOwn && hintOf(frame, stars !== undefined)}
<noscript><p class="notice">${words.withoutScript}</p></noscript>
<p class="hint">${text.program.timeZone(schedule.conference.time_zone)}</p>`,
    }
  },
}

const emptyPlan = ({ base }: Frame, isOwn: boolean): Html =>
  html`<div class="empty"><h2>${isOwn ? words.empty : words.nothingSent}</h2>${isOwn && html`<p class="needs-script">${words.emptyHint}</p>`}<p><a class="button" href="${base}/program">${words.toProgram}</a></p></div>`

/** Where the stars are kept. */
function hintOf({ base, hasSignIn, audience }: Frame, isOnAccount: boolean): Html {
  if (isOnAccount) return html`<p class="hint for-screen">${words.onAccount}</p>`
  const signIn = hasSignIn && audience === 'public' && html` <a href="${base}/sign-in?next=%2Fplan">${words.signIn}</a>`
  return html`<p class="hint for-screen needs-script">${words.onDevice}${signIn}</p>`
}

/** @param ids of sessions that exist */
function planOf(ids: readonly string[], { schedule, frame }: PageRequest): Html {
  const { base } = frame
  const { events } = indexOf(schedule)
  const chosen = new Set(ids)
  const timeline = timelineOf(schedule).filter(({ event }) => chosen.has(event.id))
  const overlaps = overlapsIn(timeline)
  const shown = new Set(timeline.map(({ event }) => event.id))
  const others = ids.flatMap((id) => (shown.has(id) ? [] : (events.get(id) ?? [])))
  const [cancelled, untimed] = [true, false].map((is) => others.filter((event) => event.is_cancelled === is))
  const calendar = timeline.some(({ part }) => part === undefined)
    ? html`<a class="button" href="${base}/api/program/export/schedule.ics?events=${[...shown].join(',')}" download>${words.calendar}</a>\n`
    : undefined
  const list = (heading: string, group: typeof others = []) =>
    group.length > 0 &&
    html`<section class="day">
<h2>${heading}</h2>
<ul>
${group.map((event) => sessionItem({ event, part: undefined, time: undefined }, { base, schedule, namesDay: true }))}</ul>
</section>
`
  return html`<p>${words.sessions(shown.size)}${overlaps.size > 0 && html`, <strong>${words.overlapCount(countPairs(overlaps))}</strong>`}</p>
<p class="actions">${calendar}<a class="button own-plan" href="${base}/plan?sessions=${ids.join(',')}">${words.link}</a></p>
${[...Map.groupBy(timeline, ({ day }) => day)].map(([day, slots]) => daySection(day, slots, overlaps, { base, schedule }))}${list(text.program.withoutTime, untimed)}${list(words.cancelled, cancelled)}`
}

type Overlaps = ReadonlyMap<Slot, readonly TimedSlot[]>

/** Each session with those that take place while it does. */
function overlapsIn(timeline: readonly TimedSlot[]): Overlaps {
  const overlaps = new Map<Slot, TimedSlot[]>()
  const add = (slot: TimedSlot, other: TimedSlot) => overlaps.set(slot, [...(overlaps.get(slot) ?? []), other])
  for (const [index, slot] of timeline.entries())
    for (const other of timeline.slice(index + 1)) {
      // Those that follow start later still.
      if (other.start > slot.start && other.start >= slot.end) break
      if (other.event === slot.event) continue
      add(slot, other)
      add(other, slot)
    }
  return overlaps
}

const countPairs = (overlaps: Overlaps): number =>
  [...overlaps.values()].reduce((sum, others) => sum + others.length, 0) / 2

function daySection(
  day: string,
  slots: readonly TimedSlot[],
  overlaps: Overlaps,
  options: { base: string; schedule: PageRequest['schedule'] },
): Html {
  let freeFrom: number | undefined
  const items = slots.map((slot) => {
    const gap = freeFrom === undefined ? 0 : slot.start - freeFrom
    // Nothing is said of the time after a session of which nobody knows when it ends.
    if (slot.end > slot.start) freeFrom = Math.max(freeFrom ?? 0, slot.end)
    else if (slot.start >= (freeFrom ?? 0)) freeFrom = undefined
    return html`${gap >= shortestGap && html`<li class="gap">${words.gap(words.hours(Math.floor(gap / minuteMs)))}</li>\n`}${sessionItem(slot, { ...options, note: notesOf(slot, overlaps.get(slot) ?? []) })}`
  })
  return html`<section class="day">
<h2>${longDay(day)}</h2>
<ul>
${items}</ul>
</section>
`
}

const notesOf = (slot: TimedSlot, others: readonly TimedSlot[]): Html =>
  html`${others
    .slice(0, maxNotes)
    .map(
      (other) => html`<p class="overlap" dir="auto">${words.overlaps(other.event.title, overlapOf(slot, other))}</p>\n`,
    )}${others.length > maxNotes && html`<p class="overlap">${words.moreOverlaps(others.length - maxNotes)}</p>\n`}`

/** `11:00–11:45`, or the start if nobody knows when one of them ends. */
function overlapOf(one: TimedSlot, other: TimedSlot): string {
  const later = one.start > other.start ? one : other
  const earlier = one.end < other.end ? one : other
  const start = clockOf(later, 'starts_at')
  return earlier.end > later.start ? `${start}–${clockOf(earlier, 'ends_at')}` : start
}

const clockOf = ({ event, part, time }: TimedSlot, which: 'starts_at' | 'ends_at'): string =>
  part === undefined ? clockTime(event[which] ?? '') : (time ?? '')
