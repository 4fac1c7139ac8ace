import { defaultLimits } from '../contract/limits.ts'
import { parseProgram } from '../server/domains/import/formats/detect.ts'
import type { ParsedProgram, SourceSession, SourceSpeaker } from '../server/domains/import/source.ts'

// A program that is imported from one format and exported to another, as an import reads both.

/** How often a value is in the file that was imported, in the one that was exported, and not the same in both. */
export type Counts = [imported: number, exported: number, different: number]

/** @param file its name tells its format */
export const parse = (text: string, file: string): ParsedProgram => parseProgram(text, file, defaultLimits)

type Values = Record<string, string>

const flat = (value: unknown): string =>
  value === '' || value === 0 || value === false || value === undefined ? '' : JSON.stringify(value)

function valuesOfSession(given: SourceSession): Values {
  const { speakers, line: _1, key: _2, shownAt: _3, unsaid: _4, links, ...session } = given
  const byRelation = Map.groupBy(links, ({ rel }) => rel)
  const ofLinks = [...byRelation].map(([rel, same]) => [
    `link: ${rel}`,
    flat(same.map(({ title, url }) => [title, url])),
  ])
  return {
    ...Object.fromEntries(
      Object.entries(session).map(([name, value]) => [
        name,
        Array.isArray(value) && value.length === 0 ? '' : flat(value),
      ]),
    ),
    ...Object.fromEntries(ofLinks),
    speakers: speakers.length === 0 ? '' : flat(speakers.map(({ name }) => name)),
  }
}

const valuesOfSpeaker = ({ name, guid, position, company, biography, photo, links }: SourceSpeaker): Values => ({
  ...{ name: flat(name), guid: flat(guid), position: flat(position), company: flat(company) },
  ...{ biography: flat(biography), photo: flat(photo), links: links.length === 0 ? '' : flat(links) },
})

/** Records of a program by kind, each with what identifies it. */
function recordsOf({ conference, rooms, tracks, sessions }: ParsedProgram): Record<string, Map<string, Values>> {
  const named = <R extends { name: string }>(records: readonly R[], valuesOf: (record: R) => Values) =>
    new Map(records.map((record) => [record.name, valuesOf(record)]))
  const slotOf = ({ title, startsAt, room }: SourceSession) => JSON.stringify([title, startsAt, room])
  return {
    conference: new Map(conference ? [['', mapValues(conference)]] : []),
    room: named(rooms, ({ guid, capacity, description }) => mapValues({ guid, capacity, description })),
    track: named(tracks, ({ color }) => mapValues({ color })),
    speaker: new Map(
      sessions.flatMap(({ speakers, ...session }) =>
        speakers.map((speaker, index): [string, Values] => [
          `${slotOf({ ...session, speakers })} ${index}`,
          valuesOfSpeaker(speaker),
        ]),
      ),
    ),
    session: new Map(sessions.map((session) => [slotOf(session), valuesOfSession(session)])),
  }
}

const mapValues = (record: object): Values =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, flat(value)]))

/** Compares two files field by field. @returns the fields that are not the same in all records, and how many are */
export function comparePrograms(before: ParsedProgram, after: ParsedProgram) {
  const [from, to] = [recordsOf(before), recordsOf(after)]
  const counts = new Map<string, Counts>()
  for (const kind of Object.keys(from)) {
    const [imported, exported] = [from[kind] ?? new Map<string, Values>(), to[kind] ?? new Map<string, Values>()]
    for (const id of new Set([...imported.keys(), ...exported.keys()])) {
      const [one, other] = [imported.get(id) ?? {}, exported.get(id) ?? {}]
      for (const field of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const count = counts.get(`${kind} ${field}`) ?? [0, 0, 0]
        const [value = '', written = ''] = [one[field], other[field]]
        if (value !== '') count[0] += 1
        if (written !== '') count[1] += 1
        if (value !== written) count[2] += 1
        counts.set(`${kind} ${field}`, count)
      }
    }
  }
  const isSame = ([, , different]: Counts) => different === 0
  return {
    /** Values that are in both files alike. */
    same: [...counts.values()].reduce((sum, [imported, , different]) => sum + Math.max(0, imported - different), 0),
    different: Object.fromEntries(
      [...counts].filter(([, count]) => !isSame(count)).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}
