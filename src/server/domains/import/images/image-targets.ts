import { normalizeMailAddress } from '../../../platform/mail/mail-address.ts'
import type { Row } from '../../../storage/db/tables.ts'
import { fullNameOf } from '../../participants/participants.ts'
import type { listAllEvents } from '../../program/events.ts'
import type { PictureKind } from '../../program/pictures.ts'
import { caseless, nameKeys, personSpellings } from '../participants/name-keys.ts'

/** A record to which an image can be attached, as its banner or photo. */
export type ImageTarget =
  | { of: 'event'; event: Row<'event'>; kind: PictureKind }
  | { of: 'speaker'; speaker: Row<'speaker'>; kind: 'photo' }
  | { of: 'participant'; participant: Row<'participant'>; kind: 'photo' }

/** The targets of a file, or the reason why it has none. */
export type FoundTargets = { targets: ImageTarget[] } | { reason: string }

/** A session's title, or the name of a speaker, of the only speaker of a session, or of a participant. */
type Candidate = { name: string; spellings: string[] } & (
  | { as: 'title' | 'only speaker'; event: Row<'event'> }
  | { as: 'speaker'; speaker: Row<'speaker'> }
  | { as: 'participant'; participant: Row<'participant'> }
)

/** The records among which targets are found. */
export interface PossibleTargets {
  events: Awaited<ReturnType<typeof listAllEvents>>
  speakers: readonly Row<'speaker'>[]
  /** Undefined for those who find none, and read nothing of them. */
  participants: readonly Row<'participant'>[] | undefined
}

/**
 * Prepares to find the targets of image files by their names: `<name>.<extension>`, or with `.banner` or `.photo`
 * before the extension. The name is the id or guid of a session, a session's title, the name of a person, or a
 * participant's e-mail address or employee number. Without either suffix, a session gets a banner and a person a photo.
 * If a name is like those of several, only the exact one is found, else none; a photo is rather that of a person.
 * @param source only sessions of this program and their speakers; undefined for all, also by id
 */
export function createTargetFinder(
  { events, speakers, participants }: PossibleTargets,
  source: string | undefined,
): (file: string) => FoundTargets {
  const shown = events.filter((event) => source === undefined || event.source === source)
  const eventsById = groupBy(shown, ({ id, source_key }) => [...(source === undefined ? [String(id)] : []), source_key])
  const peopleById = groupBy(participants ?? [], ({ email, employee_no }) => [
    normalizeMailAddress(email),
    caseless(employee_no),
  ])
  const titles = shown.map((event): Candidate => ({ as: 'title', event, name: event.title, spellings: [event.title] }))
  const speaking = new Set(shown.flatMap((event) => event.speakers))
  const persons = speakers.filter(({ id }) => source === undefined || speaking.has(id))
  // A photo of its own would still be shown in place of that of its only speaker.
  const withPhoto = shown.filter((event) => event.photo !== '' && event.speakers.length === 1)
  const people = [
    ...(participants ?? []).map(
      (participant): Candidate => ({ as: 'participant', participant, ...named(fullNameOf(participant)) }),
    ),
    ...persons.map((speaker): Candidate => ({ as: 'speaker', speaker, ...named(speaker.name) })),
    ...withPhoto.map((event): Candidate => ({ as: 'only speaker', event, ...named(event.speaker) })),
  ]
  const keysOf = ({ spellings }: Pick<Candidate, 'spellings'>) =>
    spellings.flatMap((spelling) => [...nameKeys(spelling)])
  const titlesByKey = groupBy(titles, keysOf)
  const peopleByKey = groupBy(people, keysOf)

  const find = ({ name, kind }: Reading): FoundTargets | undefined => {
    const byId = eventsById.get(name) ?? []
    if (byId.length > 1) return { reason: describeAmbiguousId(byId, name) }
    if (byId.length === 1) return { targets: toTargets(byId, kind ?? 'banner') }
    const identified =
      kind === 'banner' ? [] : (peopleById.get(normalizeMailAddress(name)) ?? peopleById.get(caseless(name)) ?? [])
    if (identified.length > 1) return { reason: describeNamesakes(identified, name) }
    const [participant] = identified
    if (participant) return { targets: [{ of: 'participant', participant, kind: 'photo' }] }
    const lookUp = (index: Map<string, Candidate[]>, spellings: string[]) =>
      keysOf({ spellings }).flatMap((key) => index.get(key) ?? [])
    const similar = new Set([
      ...(kind === 'banner' ? [] : lookUp(peopleByKey, personSpellings(name))),
      ...lookUp(titlesByKey, [name]),
    ])
    const closest = chooseClosest(name, [...similar])
    const persons = closest.filter(({ as }) => as !== 'title')
    const found = kind === 'photo' && persons.length > 0 ? persons : closest
    if (found.length === 0) return undefined
    const reason = whyAmbiguous(name, found)
    return reason === undefined ? { targets: found.map((candidate) => toTarget(candidate, kind)) } : { reason }
  }

  const titled = new Set(shown.map(({ title }) => caseless(title)))
  return (file) => {
    const stem = file.replace(/\.[^.]*$/, '').trim()
    if (stem === '') return { reason: 'The file name has to identify a session or a person.' }
    const readings = readingsOf(stem)
    // “Group photo” may be the title of a session.
    if (titled.has(caseless(stem))) readings.reverse()
    for (const reading of readings) {
      const found = find(reading)
      if (found) return found
    }
    const name = readingsOf(stem)[0]?.name ?? stem
    return { reason: describeUnknown(name, source, participants !== undefined) }
  }
}

const named = (name: string) => ({ name, spellings: personSpellings(name) })

/** A file name without its extension, as a name and the kind that its suffix states. */
interface Reading {
  name: string
  kind: PictureKind | undefined
}

/** `Ana Cruz`, `ana_cruz-photo`, `42.banner`: first with the suffix apart, then as a whole. */
function readingsOf(stem: string): Reading[] {
  const whole = { name: stem, kind: undefined }
  const [, name, word] = /^(.*?)[\s._-]+(banner|photo)$/i.exec(stem) ?? []
  if (name === undefined || word === undefined) return [whole]
  return [{ name: name.trim(), kind: word.toLowerCase() as PictureKind }, whole]
}

/** The candidates if they are one person or one title; otherwise those whose names are closest to the given one. */
function chooseClosest(name: string, candidates: Candidate[]): Candidate[] {
  const spellings = new Set([name, ...personSpellings(name)].map(caseless))
  const closer: ((candidate: Candidate) => boolean)[] = [
    (candidate) => candidate.spellings.some((spelling) => spellings.has(caseless(spelling))),
    (candidate) => caseless(candidate.name) === caseless(name),
    (candidate) => candidate.name.normalize('NFC') === name.normalize('NFC'),
  ]
  let chosen = candidates
  for (const isCloser of closer) {
    if (whyAmbiguous(name, chosen) === undefined) break
    const closest = chosen.filter(isCloser)
    if (closest.length > 0) chosen = closest
  }
  return chosen
}

/** Why the candidates are not one session or one person; undefined if they are. */
function whyAmbiguous(name: string, candidates: readonly Candidate[]): string | undefined {
  const participants = candidates.flatMap((candidate) =>
    candidate.as === 'participant' ? [candidate.participant] : [],
  )
  const titles = distinctBy(
    candidates.filter(({ as }) => as === 'title'),
    (title) => caseless(title.name),
  )
  // The last spelling is without titles; its words may be in any order.
  const people = distinctBy(
    candidates.filter(({ as }) => as !== 'title'),
    ({ spellings }) =>
      caseless(spellings.at(-1) ?? '')
        .split(' ')
        .sort()
        .join(' '),
  )
  if (people.length > 0 && titles.length > 0)
    return `Both a person and a session are called “${name}”. End the name of the file in “.photo” for the person, or in “.banner” for the session.`
  if (people.length > 1)
    return `Several people have a name like “${name}”: ${people.map((person) => person.name).join(', ')}. Name the file exactly as one of them${participants.length > 0 ? ', or by e-mail address or employee number' : ''}.`
  if (participants.length > 1) return describeNamesakes(participants, name)
  if (titles.length > 1)
    return `Several sessions have a title like “${name}”: ${titles.map((title) => `“${title.name}”`).join(', ')}. Name the file exactly as one of them, or by its id.`
  return undefined
}

const distinctBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].reverse()

function toTarget(candidate: Candidate, kind: PictureKind | undefined): ImageTarget {
  switch (candidate.as) {
    case 'participant':
      return { of: 'participant', participant: candidate.participant, kind: 'photo' }
    case 'speaker':
      return { of: 'speaker', speaker: candidate.speaker, kind: 'photo' }
    case 'only speaker':
      return { of: 'event', event: candidate.event, kind: 'photo' }
    case 'title':
      return { of: 'event', event: candidate.event, kind: kind ?? 'banner' }
  }
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

function describeUnknown(name: string, source: string | undefined, hasParticipants: boolean): string {
  if (source === undefined)
    return `No ${hasParticipants ? 'session, speaker or participant' : 'session or speaker'} is called “${name}”, and no session has this id or guid.`
  return `No speaker or session of the program ${source}${hasParticipants ? ' and no participant' : ''} is called “${name}”, and none of its sessions has this guid.`
}
