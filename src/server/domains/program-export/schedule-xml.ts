import { version } from '../../core/version.ts'
import { acronymOf, asHtml, daysOf, formatDuration, linksOf, minutesOf, startOf, titleOf } from './frab-values.ts'
import type { Program, ProgramEvent } from './program.ts'
import { attributes, element, escapeXml, httpUrl, lines, optional } from './xml.ts'

/**
 * Writes `schedule.xml`, valid by https://c3voc.de/schedule/schema.xsd. Codes and slugs must be unique there: the second
 * event with the same has none.
 */
export function writeScheduleXml(program: Program): string {
  const { conference, links, tracks, events } = program
  const days = daysOf(program)
  const codes = new Set<string>()
  const slugs = new Set<string>()
  const takeNew = (value: string, taken: Set<string>): string => {
    if (taken.has(value)) return ''
    taken.add(value)
    return value
  }
  const writeOnce = (event: ProgramEvent): string =>
    writeEvent(event, {
      code: /^[0-9A-Z]{6}$/.test(event.code) ? takeNew(event.code, codes) : '',
      slug: /^[a-z0-9_]{4,}-[a-z0-9_-]{4,}$/.test(event.slug) ? takeNew(event.slug, slugs) : '',
    })
  const firstDay = conference.first_day ?? ''
  // A schedule has at least one day.
  const empty = { date: firstDay, start: `${firstDay}T00:00:00Z`, end: `${firstDay}T00:00:00Z`, rooms: [] }
  return lines(
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<schedule>',
    element('generator', '', { name: 'Summit', version }),
    optional('url', httpUrl(links.programFile('schedule.xml'))),
    element('version', program.version),
    '<conference>',
    element('title', conference.title),
    element('acronym', acronymOf(program)),
    optional('start', firstDay),
    optional('end', conference.last_day ?? ''),
    element('days', String(days.length)),
    optional('timeslot_duration', conference.slot_minutes === null ? '' : formatDuration(conference.slot_minutes)),
    optional('base_url', httpUrl(links.base)),
    optional('url', httpUrl(conference.url)),
    element('time_zone_name', conference.time_zone),
    ...tracks.map(({ name, color }) => element('track', '', { name, color })),
    '</conference>',
    ...(events.length === 0 && firstDay !== '' ? [empty] : days).flatMap(({ date, start, end, rooms }, index) => [
      `<day${attributes({ index: String(index + 1), date, start, end })}>`,
      ...rooms.flatMap(({ name, guid, events }) => [
        `<room name="${escapeXml(name)}"${attributes({ guid })}>`,
        ...events.map(writeOnce),
        '</room>',
      ]),
      '</day>',
    ]),
    '</schedule>',
    '',
  )
}

function writeEvent(event: ProgramEvent, { code, slug }: { code: string; slug: string }): string {
  const { pages, recordings, attachments, others } = linksOf(event)
  const [link = '', url = '', ...furtherRecordings] = recordings
  const hasRecording = event.license !== '' || event.do_not_record || link !== ''
  const related = [...furtherRecordings.map((url) => ({ title: '', url })), ...others]
  return lines(
    `<event${attributes({ guid: event.guid, id: event.id, code })}>`,
    element('date', event.starts_at),
    element('start', startOf(event)),
    element('duration', durationOf(event)),
    element('room', event.room?.name ?? ''),
    optional('slug', slug),
    element('title', titleOf(event)),
    element('subtitle', event.subtitle),
    element('track', event.track?.name ?? ''),
    element('type', event.type),
    element('language', event.language),
    element('abstract', asHtml(event.description)),
    element('description', asHtml(event.details)),
    optional('logo', httpUrl(event.banner_url ?? '')),
    '<persons>',
    ...event.speakers.map(({ id, guid, name }) => element('person', name, { id, guid })),
    '</persons>',
    ...(hasRecording
      ? [
          '<recording>',
          element('license', event.license),
          element('optout', String(event.do_not_record)),
          optional('link', link),
          optional('url', url),
          '</recording>',
        ]
      : []),
    '<links>',
    ...related.map(({ title, url }) => element('link', title || url, { href: url })),
    '</links>',
    '<attachments>',
    ...attachments.map(({ title, url }) => element('attachment', title || url, { href: url })),
    '</attachments>',
    optional('url', pages.page ?? ''),
    optional('feedback_url', pages.feedback ?? ''),
    optional('origin_url', pages.origin ?? ''),
    '</event>',
  )
}

const maxDays = 99

/** `HH:MM`, or `D:HH:MM` if the hours would have three digits. */
function durationOf(event: ProgramEvent): string {
  const minutes = minutesOf(event)
  if (minutes < 100 * 60) return formatDuration(minutes)
  return `${Math.min(maxDays, Math.floor(minutes / (24 * 60)))}:${formatDuration(minutes % (24 * 60))}`
}
