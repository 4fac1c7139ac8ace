import type { ProgramRecord } from '../../program/records.ts'
import type { SourceSession, SourceSpeaker } from '../source.ts'
import { isResembling } from '../text/resemblance.ts'

// Who is who: the speakers of a file among each other, and among those that are stored.

/** A person, and where the sessions of a file mention them. */
interface Group {
  person: SourceSpeaker
  mentions: SourceSpeaker[]
}

/** Names of one id that are compared with each other; an id with more of them says nothing about a person. */
const maxNames = 5

/**
 * The persons that the sessions of a file mention: by guid, else by id and a resembling name, else by name, position and
 * company. A mere name is that of its only person with a position or company; where several have it, it stays apart.
 */
export function groupPeople(sessions: readonly SourceSession[]): Group[] {
  // One who is mentioned in many sessions may be the same object.
  const mentions = new Set(sessions.flatMap(({ speakers }) => speakers))
  const groups = [...Map.groupBy(mentions, createIdentifier()).values()].map((ofPerson) => ({
    person: ofPerson.reduce(merge),
    mentions: ofPerson,
  }))
  const described = Map.groupBy(
    groups.filter(({ person }) => isDescribed(person)),
    ({ person }) => fold(person.name),
  )
  return groups.filter((group) => {
    const { person } = group
    const isNameOnly = person.key === '' && person.guid === '' && !isDescribed(person)
    const [namesake, ...others] = (isNameOnly && described.get(fold(person.name))) || []
    if (!namesake || others.length > 0) return true
    namesake.person = merge(namesake.person, person)
    namesake.mentions = [...namesake.mentions, ...group.mentions]
    return false
  })
}

const isDescribed = ({ position, company }: SourceSpeaker): boolean => position !== '' || company !== ''

/** Creates a function that returns what the mentions of one person have in common. */
function createIdentifier(): (mention: SourceSpeaker) => string {
  const identities = new Map<string, string>()
  const namesById = new Map<string, string[]>()
  return (mention) => {
    const { guid, key, name } = mention
    if (guid !== '') return guid
    if (key === '') return describe(mention)
    const identity = describeId(key, name)
    const known = identities.get(identity)
    if (known !== undefined) return known
    const names = namesById.get(key) ?? []
    const similar = names.length < maxNames ? names.find((other) => isResembling(other, name)) : undefined
    const found = (similar !== undefined && identities.get(describeId(key, similar))) || identity
    namesById.set(key, [...names, name].slice(0, maxNames))
    identities.set(identity, found)
    return found
  }
}

const merge = (one: SourceSpeaker, other: SourceSpeaker): SourceSpeaker => ({
  ...one,
  position: one.position || other.position,
  company: one.company || other.company,
  guid: one.guid || other.guid,
  biography: one.biography || other.biography,
  photo: one.photo || other.photo,
  links: one.links.length > 0 ? one.links : other.links,
})

/**
 * Finds the stored record of each person, at most one for each: by guid, else by id and a resembling name, else by all that
 * is said of them, else by name where no other has it.
 */
export function matchPeople(people: readonly SourceSpeaker[], stored: readonly ProgramRecord<'speaker'>[]) {
  type Speaker = ProgramRecord<'speaker'>
  const matches = new Map<SourceSpeaker, Speaker>()
  const taken = new Set<Speaker>()
  const match = (person: SourceSpeaker, row: Speaker) => {
    matches.set(person, row)
    taken.add(row)
  }
  /** Groups persons and records without a match by a value; `''` for those without it. */
  const pair = (ofPerson: (person: SourceSpeaker) => string, ofRow: (row: Speaker) => string) => {
    const rowsByValue = Map.groupBy(
      stored.filter((row) => !taken.has(row)),
      ofRow,
    )
    const free = people.filter((person) => !matches.has(person))
    return [...Map.groupBy(free, ofPerson)].flatMap(([value, persons]) => {
      const rows = value === '' ? undefined : rowsByValue.get(value)
      return rows ? [{ persons, rows }] : []
    })
  }
  const matchInOrder = ({ persons, rows }: ReturnType<typeof pair>[number]) => {
    for (const [index, person] of persons.entries()) {
      const row = rows[index]
      if (row && !haveTwoIds(person, row)) match(person, row)
    }
  }
  pair(
    ({ guid }) => guid,
    ({ guid }) => guid,
  ).forEach(matchInOrder)
  pair(
    ({ key, name }) => key && describeId(key, name),
    ({ source_key, name }) => source_key && describeId(source_key, name),
  ).forEach(matchInOrder)
  pair(
    ({ key }) => key,
    ({ source_key }) => source_key,
  ).forEach(({ persons, rows }) => {
    for (const person of persons.slice(0, maxNames)) {
      const row = rows.slice(0, maxNames).find((row) => !taken.has(row) && isResembling(row.name, person.name))
      if (row) match(person, row)
    }
  })
  pair(describe, describe).forEach(matchInOrder)
  pair(
    ({ name }) => fold(name),
    ({ name }) => fold(name),
  )
    .filter(({ persons, rows }) => persons.length === 1 && rows.length === 1)
    .forEach(matchInOrder)
  return matches
}

/** Whether they are two persons, however equal their names. */
const haveTwoIds = ({ key, guid }: SourceSpeaker, row: ProgramRecord<'speaker'>): boolean =>
  key !== '' && row.source_key !== '' && key !== row.source_key && (guid === '' || guid !== row.guid)

export const fold = (name: string): string => name.toLowerCase()

const describeId = (id: string, name: string): string => JSON.stringify([id, fold(name)])

/** All that is said of a person, to tell those of one name apart. */
const describe = ({ name, position, company }: Pick<SourceSpeaker, 'name' | 'position' | 'company'>): string =>
  JSON.stringify([fold(name), position, company])
