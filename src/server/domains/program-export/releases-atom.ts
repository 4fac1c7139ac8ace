import { hash } from 'node:crypto'
import type { Release, ReleasedEvent } from '../../../contract/revisions.ts'
import { version } from '../../core/version.ts'
import type { Program } from './program.ts'
import { attributes, element, escapeXml, httpUrl, lines } from './xml.ts'

const file = 'releases.atom'

/** Writes what has changed as a feed (RFC 4287). Texts are English, except for those of the program. */
export function writeReleasesAtom({ conference, links, releases }: Program): string {
  const name = conference.title || conference.acronym || 'Summit'
  const page = httpUrl(conference.url)
  return lines(
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', idOf(links.programFile(file))),
    element('title', `${name}: changes to the program`),
    element('updated', releases[0]?.at ?? new Date(0).toISOString()),
    `<author>${element('name', name)}</author>`,
    element('generator', 'Summit', { version }),
    `<link${attributes({ rel: 'self', type: 'application/atom+xml', href: links.programFile(file) })}/>`,
    page && `<link${attributes({ rel: 'alternate', href: page })}/>`,
    ...releases.map((release) =>
      lines(
        '<entry>',
        element('id', idOf(`${links.programFile(file)} ${release.id} ${release.at}`)),
        element('title', titleOf(release)),
        element('updated', release.at),
        element('content', toHtml(release), { type: 'html' }),
        '</entry>',
      ),
    ),
    '</feed>',
    '',
  )
}

/** A UUID that is the same for the same text (RFC 9562, version 8). */
function idOf(text: string): string {
  const digits = hash('sha256', text)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  return `urn:uuid:${[...parts, digits.slice(20, 32)].join('-')}`
}

type EventChange = ReleasedEvent['changes'][number]

const labels: Record<EventChange, string> = {
  new: 'New',
  cancelled: 'Cancelled',
  restored: 'Takes place after all',
  moved: 'Moved',
  retitled: 'New title',
  speakers: 'Other speakers',
}

function titleOf({ is_first, events, rooms, tracks }: Release): string {
  const [event] = events
  if (event && events.length + rooms.length + tracks.length === 1) return nameOf(event)
  const counts = (Object.keys(labels) as EventChange[]).map((change) => {
    return [labels[change], events.filter(({ changes }) => changes.includes(change)).length] as const
  })
  const renamed = [['Renamed', rooms.length + tracks.length] as const]
  const parts = [...counts, ...renamed].flatMap(([label, count]) => (count > 0 ? `${label}: ${count}` : []))
  const all = [...(is_first ? ['The program is published'] : []), ...parts]
  return all.length === 0 ? 'From the organizers' : all.join(', ')
}

function toHtml({ note, is_undone, is_first, events, rooms, tracks }: Release): string {
  const items = [
    ...events.map(describe),
    ...rooms.map(({ from, to }) => `Room: ${to} (was ${from})`),
    ...tracks.map(({ from, to }) => `Track: ${to} (was ${from})`),
  ]
  const paragraphs = [
    ...(is_undone ? ['A later change takes this back.'] : []),
    ...(note === '' ? [] : [note]),
    ...(is_first ? ['The program is published.'] : []),
  ]
  const list = items.map((item) => `<li>${escapeXml(item)}</li>`).join('')
  return [...paragraphs.map(toParagraph), list && `<ul>${list}</ul>`].join('')
}

const toParagraph = (text: string): string => `<p>${text.split('\n').map(escapeXml).join('<br>')}</p>`

const nameOf = ({ title, changes }: ReleasedEvent): string =>
  `${changes.map((change) => labels[change]).join(', ')}: ${title}`

function describe(event: ReleasedEvent): string {
  const { from, to } = event
  return from && to ? `${nameOf(event)}, ${describeSlot(to)} (was ${describeSlot(from)})` : nameOf(event)
}

const describeSlot = ({ starts_at, ends_at, room }: NonNullable<ReleasedEvent['from']>): string => {
  const start = starts_at?.slice(0, 16).replace('T', ' ') ?? 'without a time'
  const isSameDay = ends_at?.slice(0, 10) === starts_at?.slice(0, 10)
  const end =
    ends_at && ends_at !== starts_at ? ` to ${isSameDay ? '' : `${ends_at.slice(0, 10)} `}${ends_at.slice(11, 16)}` : ''
  return [start + end, room].filter(Boolean).join(', ')
}
