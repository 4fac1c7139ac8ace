import { version } from '../../core/version.ts'
import { acronymOf, asHtml, daysOf, fold, formatDuration, linksOf, minutesOf, startOf, titleOf } from './frab-values.ts'
import type { Program, ProgramEvent, ProgramSpeaker } from './program.ts'

/** What tools assume for a schedule that does not say. */
const usualSlotMinutes = 5

/** Writes `schedule.json`, valid by https://c3voc.de/schedule/schema.json. */
export function writeScheduleJson(program: Program): string {
  const { conference, links, tracks, rooms } = program
  const days = daysOf(program)
  const acronym = acronymOf(program)
  return JSON.stringify({
    $schema: 'https://c3voc.de/schedule/schema.json',
    generator: { name: 'Summit', version },
    schedule: {
      version: program.version,
      base_url: links.base,
      conference: {
        acronym,
        title: conference.title,
        start: conference.first_day ?? '',
        end: conference.last_day ?? '',
        daysCount: days.length,
        timeslot_duration: formatDuration(conference.slot_minutes ?? usualSlotMinutes),
        ...(/^[A-Z][a-z]+\/[A-Z][a-z]+|UTC$/.test(conference.time_zone) && { time_zone_name: conference.time_zone }),
        ...(conference.url !== '' && { url: toUri(conference.url) }),
        tracks: tracks.map(({ name, color }) => ({ name, ...(color !== '' && { color }) })),
        rooms: rooms.map(({ name, guid, capacity, description }) => ({
          ...{ name, guid, capacity },
          ...(description !== '' && { description }),
        })),
        days: days.map(({ date, start, end, rooms }, index) => ({
          ...{ index: index + 1, date, day_start: start, day_end: end },
          rooms: byName(rooms.map(({ name, events }) => [name, events.map((event) => toEvent(event, acronym))])),
        })),
      },
    },
  })
}

/** Rooms may have the same name, and one that is no ordinary name of a member. */
function byName<V>(entries: readonly (readonly [string, V[]])[]): Record<string, V[]> {
  const byName = Map.groupBy(entries, ([name]) => name)
  return Object.fromEntries([...byName].map(([name, same]) => [name, same.flatMap(([, values]) => values)]))
}

function toEvent(event: ProgramEvent, acronym: string) {
  const { pages, recordings, attachments, others } = linksOf(event)
  return {
    guid: event.guid,
    ...(/^[A-Z0-9]+$/.test(event.code) && { code: event.code }),
    id: Number(event.id),
    date: event.starts_at,
    start: startOf(event),
    end: event.ends_at,
    duration: formatDuration(minutesOf(event)),
    room: event.room?.name ?? '',
    slug: slugOf(event, acronym),
    url: toUri(pages.page ?? event.record),
    title: titleOf(event),
    subtitle: event.subtitle,
    language: event.language,
    track: event.track?.name ?? null,
    type: event.type,
    abstract: asHtml(event.description),
    description: asHtml(event.details),
    ...(event.banner_url !== null && { logo: event.banner_url }),
    persons: event.speakers.map(toPerson),
    ...(event.license !== '' && { recording_license: event.license }),
    do_not_record: event.do_not_record,
    links: [...recordings.map((url) => ({ type: 'media', url: toUri(url) })), ...others.map(toReference)],
    attachments: attachments.map(toReference),
    ...(pages.feedback !== undefined && { feedback_url: toUri(pages.feedback) }),
    ...(pages.origin !== undefined && { origin_url: toUri(pages.origin) }),
  }
}

const maxTitleLength = 60

/** A schedule needs a part of a URL for each event. */
function slugOf({ id, slug, title }: ProgramEvent, acronym: string): string {
  if (/^[a-z0-9_-]+[a-z0-9]$/.test(slug)) return slug
  return `${acronym}-${id}-${fold(title, '-').slice(0, maxTitleLength).replace(/-$/, '') || 'session'}`
}

/** A member with an `id` of its own would be a person of frab, without a biography. */
function toPerson({ guid, name, biography, photo_url, links }: ProgramSpeaker) {
  const [first] = links
  const hasPage = first?.title === ''
  return {
    ...{ guid, name, public_name: name, avatar: photo_url && toUri(photo_url), biography: asHtml(biography) },
    ...(hasPage && { url: toUri(first.url) }),
    links: (hasPage ? links.slice(1) : links).map(toReference),
  }
}

const toReference = ({ title, url }: { title: string; url: string }) => ({
  url: toUri(url),
  ...(title !== '' && { title }),
})

/** RFC 3986: of other characters, such as letters with accents, browsers make the same. */
const toUri = (url: string): string => url.replace(/[^!#-;=?-Z_a-z~]/gu, encodeURIComponent)
