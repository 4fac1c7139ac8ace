import type { FastifyInstance } from 'fastify'
import type { Schedule, ScheduleEvent } from '../../../contract/schedule.ts'
import { version } from '../../core/version.ts'
import { timesOf } from './account/account-page.ts'
import { linksOf } from './attendee/linked-text.ts'
import { avatar, speakerItem } from './attendee/persons.ts'
import { type Moves, type Slot, sessionItem, starButton, timetable, trackLabel } from './attendee/sessions.ts'
import { trackStyle } from './attendee/site.ts'
import { Html, html } from './html.ts'
import { type Pages, sendPage } from './page.ts'

/**
 * Mounts `/parts`, where those who work on the pages see what these are made of: every part of `src/web/style` in every
 * state, made by the functions of the pages. `/parts?hue=120` shows another hue. A release does not have it.
 */
export function mountParts(app: FastifyInstance, pages: Pages, clock: () => number): void {
  if (!version.endsWith('+source')) return
  app.get('/parts', (request, reply) => {
    const hue = /[?&]hue=(\d{1,3})(?=&|$)/.exec(request.url)?.[1]
    const style = trackStyle(tracks) + (hue === undefined ? '' : `:root{--hue:${Number(hue) % 360}}`)
    return sendPage(reply, pages, {
      title: 'Parts of the pages, below a title of two lines',
      tab: 'program',
      style,
      content: contentOf(pages, clock()),
    })
  })
}

const contentOf = (pages: Pages, now: number): Html =>
  html`${[texts, controls, fields, notices(), labels, people(pages), sessions(pages, now), frames]}`

/** A part with its name. */
const part = (name: string, content: Html): Html => html`<h2>${name}</h2>\n${content}`

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

const texts = part(
  'Texts',
  html`<p class="lead">The sentence below a title, in which a session says what it is about.</p>
<h3>A heading of the third level</h3>
<p>A paragraph with <a href="#main">a link</a>, <strong>strong words</strong>, <code>code</code>, and <span class="quiet">quiet words</span>.</p>
<p class="hint">A hint.</p>
<div class="prose"><p>What people write has a measure that is comfortable to read: about sixty-six letters in a line, and space between paragraphs.</p><ul><li>one</li><li>two, with ${long}</li></ul><ol><li>first</li><li>second</li></ol><blockquote><p>A quotation.</p></blockquote><pre><code>const answer = 42 // a line of code that is wider than a telephone, and wraps</code></pre><hr><p dir="auto">نص من اليمين إلى اليسار مع <a href="#main">رابط</a>.</p></div>
<p class="prose plain" dir="auto">Plain text
keeps its lines.</p>
<dl class="facts"><dt>When</dt><dd>Wednesday 1 May 2030, <time>09:00</time>–<time>10:30</time></dd><dt>Where</dt><dd>${long}</dd></dl>
${linksOf([{ title: 'Slides', url: 'https://summit.example/slides' }], 'Links')}
`,
)

const controls = part(
  'Buttons, tabs and pagers',
  html`<p class="actions"><button type="button">Plain</button> <button type="button" class="primary">Primary</button> <button type="button" class="danger">Danger</button> <button type="button" disabled>Disabled</button> <button type="button" class="primary" disabled>Primary, disabled</button> <a class="button" href="#main">A link</a></p>
<p class="actions"><button type="button" class="star" aria-label="Star" aria-pressed="false"></button> <button type="button" class="star" aria-label="Star" aria-pressed="true"></button> <button type="button" class="star wide" aria-pressed="false">Star</button> <button type="button" class="star wide" aria-pressed="true">Star</button></p>
<nav class="hours" aria-label="Hours"><a href="#main">09:00</a> <a href="#main">10:00</a> <a href="#main">11:00</a></nav>
<nav class="days" aria-label="Days"><a href="#main"><b>Wed</b> 1 May</a> <a href="#main" aria-current="page"><b>Thu</b> 2 May</a> <a href="#main"><b>Fri</b> 3 May</a></nav>
<nav class="pager" aria-label="Pages of a list"><a class="button" href="#main">Newer posts</a> <a class="button" href="#main">Older posts</a></nav>
`,
)

const fields = part(
  'Forms',
  html`<form class="card" action="#main">
<div class="field"><label for="part-name">Name</label><input id="part-name" placeholder="Placeholder"></div>
<div class="field"><label for="part-email">E-mail</label><input id="part-email" type="email" value="ana@" aria-invalid="true" aria-describedby="part-error part-hint"><p class="error" id="part-error">This is no address. It looks like name@summit.example.</p><p class="hint" id="part-hint">Only the organizers see it.</p></div>
<div class="field"><label for="part-text">Text</label><textarea id="part-text" rows="3">Bring a mug.</textarea></div>
<div class="field"><label for="part-room">Room</label><select id="part-room"><option>All</option><option>Hall (3)</option></select></div>
<div class="field"><label for="part-disabled">Disabled</label><input id="part-disabled" disabled value="09:00"></div>
<fieldset class="field"><legend>Days</legend><label class="option"><input type="checkbox" checked> Wednesday</label><label class="option"><input type="checkbox"> Thursday</label><label class="option"><input type="radio" name="part-radio" checked> One</label><label class="option"><input type="radio" name="part-radio"> The other</label></fieldset>
<p class="actions"><button class="primary" type="button">Save</button> <button type="button">Cancel</button></p>
</form>
<form class="search" role="search" action="#main"><input type="search" aria-label="Search" placeholder="Title, person, room"><button type="button">Search</button></form>
<details open><summary class="button">Filters</summary><form class="filters" action="#main"><div><label for="part-track">Track</label><select id="part-track"><option>All</option></select></div><div><label for="part-type">Type</label><select id="part-type"><option>All</option></select></div><p class="actions"><button class="primary" type="button">Show</button></p></form></details>
`,
)

const notices = () =>
  part(
    'Notices, empty lists and failures',
    html`<p class="notice">Something to know, with <a href="#main">a link</a>.</p>
<p class="notice warn"><strong>Moved.</strong> It was Thu 20:30, Zero. <a href="#main">See why</a></p>
<p class="notice ok">Saved.</p>
<p class="notice bad">The invitation is unknown.</p>
<div class="empty"><h2>Nothing has been posted yet</h2><p>News and photos of everybody here will be on this page.</p><p><a class="button" href="#main">To the program</a></p></div>
`,
  )

const tracks: Schedule['tracks'] = [
  { id: '1', name: 'Hardware', color: '#b3261e' },
  { id: '2', name: 'Without a colour', color: '' },
  { id: '3', name: long, color: '#0b57d0' },
]

const labels = part(
  'Tags and tracks',
  html`<p><span class="tag">Workshop</span> <span class="tag bad">Cancelled</span> <span class="tag warn">Moved</span> <span class="tag">${long}</span></p>
${tracks.map((track) => html`<p>${trackLabel(track)}</p>\n`)}`,
)

const speakers: Schedule['speakers'] = [
  { id: '1', guid: '', name: 'Ana Cruz', position: 'Engineer', company: 'Harbour Works', photo_url: null },
  { id: '2', guid: '', name: 'عمر خالد', position: '', company: '', photo_url: null },
  { id: '3', guid: '', name: long, position: long, company: '', photo_url: null },
]

const people = ({ base }: Pages) =>
  part(
    'People',
    html`<p class="actions">${avatar('Ana Cruz', undefined)} ${avatar('Madonna', undefined)} ${avatar('?', undefined)} ${avatar('Ana Cruz', undefined, 'large')}</p>
<div class="speakers"><ul>${speakers.map((speaker) => speakerItem(speaker, { base, baseUrl: '' }))}</ul></div>
${timesOf({ Since: '2030-05-01 09:00:00', 'Last used': '2030-05-01 09:30:00' })}
`,
  )

/** One session in each state, some before and after the others. */
function sessions({ base }: Pages, now: number): Html {
  const at = (minutes: number) => `${new Date(now + minutes * 60_000).toISOString().slice(0, 19)}Z`
  const event = (id: number, title: string, minutes: number, values: Partial<ScheduleEvent> = {}): ScheduleEvent => ({
    ...plain,
    id: String(id),
    title,
    starts_at: at(minutes),
    ends_at: at(minutes + 45),
    ...values,
  })
  const events = [
    event(1, 'Before', -90),
    event(2, 'On now', -10, { track_id: '1', speaker_ids: ['1', '2'] }),
    event(3, 'Cancelled', -10, { is_cancelled: true }),
    event(4, 'Moved', 60, { track_id: '2' }),
    event(5, 'With a part', 60, { speaker_ids: ['1'] }),
    event(6, `${long} ${long}`, 60, { track_id: '3', room_id: '2', speaker_ids: ['3'] }),
    event(7, 'عنوان من اليمين إلى اليسار', 60, { language: 'ar' }),
    event(8, 'Without a time', 0, { starts_at: null, ends_at: null, room_id: null }),
  ]
  const schedule: Schedule = { conference, days: [], rooms, tracks, speakers, events }
  const from = { starts_at: at(-60), ends_at: null, room: 'Zero' }
  const moves: Moves = new Map([['4', { from, at: at(-600) }]])
  const slotOf = (event: ScheduleEvent): Slot => ({ event, part: undefined, time: event.starts_at?.slice(11, 16) })
  const options = { base, schedule, moves }
  // As the script shows it for a star of this browser.
  const starred = sessionItem(slotOf(event(9, 'Starred', 60)), options)
    .text.replace('class="session"', 'class="session starred"')
    .replace('data-star="9" aria-pressed="false"', 'aria-pressed="true"')
    .replace(' hidden', '')
  return html`${part('Sessions', html`<div class="timetable" data-day="2030-05-01">\n${timetable(events.map(slotOf), options)}</div>\n`)}
${part('A starred session', html`<ul>${new Html(starred)}</ul>\n<p>${starButton(plain, true)}</p>\n`)}`
}

const conference: Schedule['conference'] = {
  title: 'Summit',
  acronym: '',
  url: '',
  time_zone: 'UTC',
  first_day: null,
  last_day: null,
  slot_minutes: null,
  hue: null,
  logo_url: null,
}

const room = { guid: '', building: '', address: '', capacity: null, description: '' }
const rooms: Schedule['rooms'] = [
  { ...room, id: '1', name: 'Hall' },
  { ...room, id: '2', name: long },
]

const plain: ScheduleEvent = {
  id: '9',
  guid: '',
  title: 'Plain',
  subtitle: '',
  is_cancelled: false,
  day: '2030-05-01',
  starts_at: null,
  ends_at: null,
  type: '',
  language: 'en',
  tags: [],
  banner_url: null,
  photo_url: null,
  code: '',
  slug: '',
  license: '',
  do_not_record: false,
  activities: [],
  room_id: '1',
  track_id: null,
  speaker_ids: [],
}

const frames = part(
  'Cards and dialogs',
  html`<div class="card"><h3>A card</h3><p>What belongs together.</p></div>
<dialog open aria-label="A dialog"><h2>End this session?</h2><p>It stops working at once.</p><p class="actions"><button type="button" class="danger">End</button> <button type="button">Cancel</button></p></dialog>
`,
)
