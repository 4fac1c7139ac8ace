import { islands } from '../text/en.ts'
import { all, zone } from './page.ts'

// What depends on the time at which somebody looks, and on the zone in which they are.

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The clock time in a zone, `HH:MM`. */
const clockIn = (timeZone: string | undefined, time: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(time)

/** The date in a zone, `YYYY-MM-DD`. */
const dateIn = (timeZone: string | undefined, time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time)

/** Says what time a session starts where the reader is, if their clocks show another. */
function showOwnTimes(): void {
  for (const place of all('[data-own-time]')) {
    const time = Date.parse(place.dataset.ownTime ?? '')
    const own = clockIn(ownZone, time)
    const isSame = own === clockIn(zone, time) && dateIn(ownZone, time) === dateIn(zone, time)
    place.hidden = isSame
    if (!isSame) place.textContent = islands.ownTime(own)
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

/** Marks the sessions that are on, and draws a line before what comes next. */
function showNow(now: number): void {
  const line = document.querySelector('.now-line')
  line?.remove()
  const timetable = document.querySelector<HTMLElement>('.timetable[data-day]')
  for (const session of all('.session[data-start]')) {
    const isOn = Date.parse(session.dataset.start ?? '') <= now && now < Date.parse(session.dataset.end ?? '')
    session.classList.toggle('on-now', isOn && !session.classList.contains('cancelled'))
  }
  if (!timetable) return
  const slots = all('.timetable[data-day] > .slot')
  const startOf = (slot: HTMLElement) =>
    Date.parse(slot.querySelector<HTMLElement>('[data-start]')?.dataset.start ?? '')
  const ends = all('.timetable [data-end]').map((session) => Date.parse(session.dataset.end ?? ''))
  const next = slots.find((slot) => startOf(slot) > now)
  const hasBegun = slots.some((slot) => startOf(slot) <= now)
  if (!hasBegun || !ends.some((end) => end > now)) return
  const mark = document.createElement('p')
  mark.className = 'now-line'
  mark.textContent = islands.now(clockIn(zone, now))
  if (next) next.before(mark)
  else timetable.append(mark)
}

/** Keeps all of it right while the page is looked at. */
export function startClock(): void {
  const show = () => {
    const now = Date.now()
    showRelativeTimes(now)
    showNow(now)
  }
  showOwnTimes()
  show()
  setInterval(() => {
    if (!document.hidden) show()
  }, 30_000)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) show()
  })
}
