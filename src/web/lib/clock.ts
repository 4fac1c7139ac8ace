import { islands } from '../text/en.ts'
import { all, zone } from './page.ts'
import { onReplaced, replaceFrom } from './region.ts'

// What depends on the time at which somebody looks, and on the zone in which they are.

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The clock time in a zone, `HH:MM`. */
const clockIn = (timeZone: string | undefined, time: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(time)

/** The date in a zone, `YYYY-MM-DD`. */
const dateIn = (timeZone: string | undefined, time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time)

const weekdayIn = (timeZone: string, time: number): string =>
  new Intl.DateTimeFormat(islands.language, { timeZone, weekday: 'short' }).format(time)

/** Says what time a session starts where the reader is, if their clocks show another; with the day if that differs, too. */
function showOwnTimes(): void {
  for (const place of all('[data-own-time]')) {
    const time = Date.parse(place.dataset.ownTime ?? '')
    const own = clockIn(ownZone, time)
    const isSameDay = dateIn(ownZone, time) === dateIn(zone, time)
    place.hidden = isSameDay && own === clockIn(zone, time)
    place.textContent = islands.ownTime(isSameDay ? own : `${weekdayIn(ownZone, time)} ${own}`)
  }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const relative = new Intl.RelativeTimeFormat(islands.language, { numeric: 'auto' })

/** Farther away, a date says more than a number of days. */
const farthest = 7 * 86_400_000

/** `10 minutes ago`; the whole time stays in the title. */
function showRelativeTimes(now: number): void {
  for (const element of all<HTMLTimeElement>('time[data-relative]')) {
    const ms = Date.parse(element.dateTime) - now
    if (Math.abs(ms) > farthest) {
      if (element.title) element.textContent = element.title
      continue
    }
    const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? ['minute', 60_000]
    element.title ||= element.textContent ?? ''
    element.textContent = relative.format(Math.trunc(ms / size), unit)
  }
}

/** Marks the sessions that are on, and draws a line between what has begun and what comes next. */
function showNow(now: number): void {
  document.querySelector('.now-line')?.remove()
  for (const session of all('.session[data-start]')) {
    const isOn = Date.parse(session.dataset.start ?? '') <= now && now < Date.parse(session.dataset.end ?? '')
    session.classList.toggle('on-now', isOn && !session.classList.contains('cancelled'))
  }
  const startsIn = (slot: HTMLElement) =>
    all<HTMLElement>('[data-start]', slot).map(({ dataset }) => Date.parse(dataset.start ?? ''))
  const slots = all('.timetable[data-day] > .slot')
  // Parts of sessions have no instant, nor has what has no time: those slots stay where they are.
  const begun = slots.findLast((slot) => startsIn(slot).some((start) => start <= now))
  const ends = all('.timetable[data-day] [data-end]').map(({ dataset }) => Date.parse(dataset.end ?? ''))
  if (!begun || !ends.some((end) => end > now)) return
  const mark = document.createElement('p')
  mark.className = 'now-line'
  mark.textContent = islands.now(clockIn(zone, now))
  begun.after(mark)
}

/** Fetches what shows what is on, when something else is. */
function refreshOutdated(now: number): void {
  for (const region of all('[data-until]'))
    if (Date.parse(region.dataset.until ?? '') <= now && !region.contains(document.activeElement))
      replaceFrom(location.href, region).catch(() => {
        // Without a connection, what was on is still shown.
      })
}

/** Keeps all of it right while the page is looked at. */
export function startClock(): void {
  const show = () => {
    const now = Date.now()
    showRelativeTimes(now)
    showNow(now)
  }
  const showAgain = () => {
    if (document.hidden) return
    show()
    refreshOutdated(Date.now())
  }
  showOwnTimes()
  show()
  onReplaced(show)
  setInterval(showAgain, 30_000)
  document.addEventListener('visibilitychange', showAgain)
}
