import type { Row } from '../db/tables.ts'
import { normalizeMailAddress } from '../mail/mail-address.ts'
import type { PictureKind } from '../program/pictures.ts'
import { nameKeys, personKeys } from './name-keys.ts'

/** A record to which an image can be attached, as its banner or photo. */
export type ImageTarget =
  | { of: 'event'; event: Row<'event'>; kind: PictureKind }
  | { of: 'participant'; participant: Row<'participant'>; kind: 'photo' }

/** The targets of a file, or the reason why it has none. */
export type FoundTargets = { targets: ImageTarget[] } | { reason: string }

/**
 * Prepares to find the targets of image files by their names: `<name>.<extension>`, or with `.banner` or `.photo`
 * before the extension. The name is the id or guid of a session, a session's title, the name of a person, or a
 * participant's e-mail address or employee number. Without either suffix, a session gets a banner and a person a photo.
 * @param source only sessions of this program; undefined for all, also by id
 */
export function createTargetFinder(
  events: readonly Row<'event'>[],
  participants: readonly Row<'participant'>[],
  source: string | undefined,
): (file: string) => FoundTargets {
  const shown = events.filter((event) => source === undefined || event.source === source)
  const eventsById = groupBy(shown, ({ id, source_key }) => [...(source === undefined ? [String(id)] : []), source_key])
  const eventsByTitle = groupBy(shown, ({ title }) => nameKeys(title))
  // Of several speakers, the photo would show only one.
  const eventsBySpeaker = groupBy(shown, ({ speaker }) => (speaker.includes(',') ? [] : personKeys(speaker)))
  const people = groupBy(participants, (person) => [
    ...personKeys(`${person.first_name} ${person.last_name}`),
    normalizeMailAddress(person.email),
    person.employee_no,
  ])

  return (file) => {
    const { name, kind } = parseFileName(file)
    if (name === '') return { reason: 'The file name has to identify a session or a person.' }
    const byId = eventsById.get(name) ?? []
    if (byId.length > 1) return { reason: describeAmbiguousId(byId, name) }
    if (byId.length === 1) return { targets: toTargets(byId, kind ?? 'banner') }
    const find = <T>(index: Map<string, T[]>) => [
      ...new Set([...nameKeys(name)].flatMap((key) => index.get(key) ?? [])),
    ]
    const persons = kind === 'banner' ? [] : (people.get(normalizeMailAddress(name)) ?? find(people))
    if (persons.length > 1) return { reason: describeNamesakes(persons, name) }
    const speaking = kind === 'banner' ? [] : find(eventsBySpeaker)
    const titled = find(eventsByTitle)
    const isPerson = persons.length > 0 || speaking.length > 0
    if (isPerson && titled.length > 0)
      return {
        reason: `Both a person and a session are called “${name}”. Name the file by the session's id, or by the participant's e-mail address.`,
      }
    if (isPerson) {
      const photos = persons.map((participant): ImageTarget => ({ of: 'participant', participant, kind: 'photo' }))
      return { targets: [...photos, ...toTargets(speaking, 'photo')] }
    }
    if (titled.length > 0) return { targets: toTargets(titled, kind ?? 'banner') }
    return { reason: describeUnknown(name, source) }
  }
}

/** `Ana Cruz.png`, `ana_cruz-photo.png`, `42.banner.jpg`. */
function parseFileName(file: string): { name: string; kind: PictureKind | undefined } {
  const stem = file.replace(/\.[^.]*$/, '')
  const [, name = stem, word] = /^(.*?)[\s._-]+(banner|photo)$/i.exec(stem) ?? []
  return { name: name.trim(), kind: word?.toLowerCase() as PictureKind | undefined }
}

const toTargets = (events: readonly Row<'event'>[], kind: PictureKind): ImageTarget[] =>
  events.map((event) => ({ of: 'event', event, kind }))

function groupBy<T>(items: readonly T[], keysOf: (item: T) => Iterable<string>): Map<string, T[]> {
  const index = new Map<string, T[]>()
  for (const item of items)
    for (const key of new Set(keysOf(item))) if (key !== '') index.set(key, [...(index.get(key) ?? []), item])
  return index
}

function describeAmbiguousId(events: readonly Row<'event'>[], name: string): string {
  const candidates = events.map(({ id, title, source, source_key }) =>
    source_key === name ? `the guid of “${title}” in the program ${source}` : `the id ${id} of “${title}”`,
  )
  return `${name} is ${candidates.join(', and ')}. Choose the program with --source NAME.`
}

function describeNamesakes(people: readonly Row<'participant'>[], name: string): string {
  const candidates = people.map(({ id, email, employee_no }) => email || employee_no || `id ${id}`)
  return `Several participants are called “${name}”: ${candidates.join(', ')}. Name the file by e-mail address or employee number.`
}

const describeUnknown = (name: string, source: string | undefined): string =>
  source === undefined
    ? `No session, speaker or participant is called “${name}”, and no session has this id or guid.`
    : `No speaker or session of the program ${source} and no participant is called “${name}”, and none of its sessions has this guid.`
