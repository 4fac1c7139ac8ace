import type { ProgramRecord } from '../../program/records.ts'
import type { SourceSession, SourceSpeaker } from '../source.ts'

// Who is who: the speakers of a file among each other, and among those that are stored.

/** A person, and where the sessions of a file mention them. */
interface Group {
  person: SourceSpeaker
  mentions: SourceSpeaker[]
}

/** Namesakes among whom a mention without an id is looked for; with more, a file cannot say who is meant. */
const maxNamesakes = 20

/**
 * The persons that the sessions of a file mention: by their id, else by their name. Those of one name without an id are one
 * person, unless their positions or companies tell them apart.
 */
export function groupPeople(sessions: readonly SourceSession[]): Group[] {
  const groups: Group[] = []
  const byIdentity = new Map<string, Group>()
  const byName = new Map<string, Group[]>()
  for (const mention of sessions.flatMap(({ speakers }) => speakers)) {
    const { key, name } = mention
    const identity = key === '' ? describe(mention) : `id ${key}`
    const namesakes = byName.get(fold(name)) ?? []
    const known =
      byIdentity.get(identity) ??
      (key === '' ? namesakes.slice(0, maxNamesakes).find(({ person }) => isSamePerson(person, mention)) : undefined)
    const group = known ?? { person: mention, mentions: [] }
    if (known) known.person = merge(known.person, mention)
    else {
      groups.push(group)
      if (key === '') namesakes.push(group)
      byName.set(fold(name), namesakes)
    }
    group.mentions.push(mention)
    byIdentity.set(identity, group)
  }
  return groups
}

const isSamePerson = (one: SourceSpeaker, other: SourceSpeaker): boolean =>
  (['guid', 'position', 'company'] as const).every(
    (field) => !one[field] || !other[field] || one[field] === other[field],
  )

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
 * Finds the stored record of each person, at most one for each: by id, else by all that is said of them, else by name where
 * no other has it.
 */
export function matchPeople(people: readonly SourceSpeaker[], stored: readonly ProgramRecord<'speaker'>[]) {
  type Speaker = ProgramRecord<'speaker'>
  const matches = new Map<SourceSpeaker, Speaker>()
  const taken = new Set<Speaker>()
  const pair = (
    keyOfPerson: (person: SourceSpeaker) => string | undefined,
    keyOfRow: (row: Speaker) => string | undefined,
    onlyOne = false,
  ) => {
    const persons = Map.groupBy(
      people.filter((person) => !matches.has(person)),
      keyOfPerson,
    )
    const rows = Map.groupBy(
      stored.filter((row) => !taken.has(row)),
      keyOfRow,
    )
    for (const [key, ofKey] of persons) {
      const found = key === undefined ? [] : (rows.get(key) ?? [])
      if (onlyOne && (ofKey.length > 1 || found.length > 1)) continue
      for (const [index, person] of ofKey.entries()) {
        const row = found[index]
        // Two ids are two persons.
        if (!row || (person.key !== '' && row.source_key !== '' && person.key !== row.source_key)) continue
        matches.set(person, row)
        taken.add(row)
      }
    }
  }
  pair(
    ({ key }) => key || undefined,
    ({ source_key }) => source_key || undefined,
  )
  pair(
    ({ guid }) => guid || undefined,
    ({ guid }) => guid,
  )
  pair(describe, describe)
  pair(
    ({ name }) => fold(name),
    ({ name }) => fold(name),
    true,
  )
  return matches
}

const fold = (name: string): string => name.toLowerCase()

/** All that is said of a person, to tell those of one name apart. */
const describe = ({ name, position, company }: Pick<SourceSpeaker, 'name' | 'position' | 'company'>): string =>
  JSON.stringify([fold(name), position, company])
