import type { Data } from '../../../contract/index.ts'
import { maxFoundEvents } from '../../../contract/schedule.ts'
import { findByWords, fold } from '../../core/folded-text.ts'
import type { EventId } from '../../core/ids.ts'
import { inTurns } from '../../core/in-turns.ts'
import { type CurrentOptions, createCurrentReader } from '../../log/changes/current.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope } from '../../scope.ts'
import { toPlainText } from './plain-text.ts'
import { type LoadedEvent, type LoadedSchedule, loadSchedule, readTags, toScheduleEvent } from './schedule.ts'

/** What is searched of an event, as stored. */
interface StoredTexts {
  title: string
  /** The names of its speakers. */
  speakers: string
  /** All else that is plain text. */
  plain: string
  /** HTML fragments. */
  description: string
  details: string
}

/** What is searched of an event, folded. */
interface FoldedTexts {
  title: string
  speakers: string
  other: string
}

/** How much a word counts in each. */
const scores: Readonly<Record<keyof FoldedTexts, number>> = { title: 8, speakers: 4, other: 1 }

interface Searched {
  event: LoadedEvent
  stored: StoredTexts
  folded: FoldedTexts
}

/**
 * Creates the search. It looks at every text rather than into an index, which the engines would fill in different ways, and
 * in which no part of a compound is found. Only what has changed is folded again.
 */
export function createProgramSearch(options: CurrentOptions) {
  const readSchedule = createCurrentReader(options, (scope) => loadSchedule(scope, true))
  let last: { schedule: LoadedSchedule; searched: Promise<Searched[]> } | undefined
  let known = new Map<EventId, Searched>()

  const prepare = async (schedule: LoadedSchedule): Promise<Searched[]> => {
    const readTexts = createTextReader(schedule)
    const searched = await inTurns(schedule.events, (event): Searched => {
      const stored = readTexts(event)
      const earlier = known.get(event.row.id)
      return { event, stored, folded: earlier && isSame(earlier.stored, stored) ? earlier.folded : foldTexts(stored) }
    })
    known = new Map(searched.map((one) => [one.event.row.id, one]))
    return searched
  }

  return async (scope: Scope, { q }: HandlerInput<'searchProgram'>): Promise<Data<'searchProgram'>> => {
    const { value: schedule } = await readSchedule(scope, await options.freshness.refresh())
    if (last?.schedule !== schedule) last = { schedule, searched: prepare(schedule) }
    const found = findByWords(await last.searched, q, scores).slice(0, maxFoundEvents)
    return { events: found.map(({ event }) => toScheduleEvent(event, scope)) }
  }
}

function createTextReader({ rooms, tracks, speakers }: LoadedSchedule): (event: LoadedEvent) => StoredTexts {
  const roomOf = new Map(rooms.map(({ id, name, building }) => [id, `${name}\n${building ?? ''}`]))
  const trackOf = new Map(tracks.map(({ id, name }) => [id, name]))
  const nameOf = new Map(speakers.map(({ id, name }) => [id, name]))
  return ({ row, activities, speakers: ids }) => {
    const place = row.room_id === null ? '' : roomOf.get(row.room_id)
    const track = row.track_id === null ? '' : trackOf.get(row.track_id)
    return {
      title: row.title,
      speakers: ids.map((id) => nameOf.get(id)).join('\n'),
      plain: [row.subtitle, place, track, ...readTags(row), ...activities.map(({ title }) => title)].join('\n'),
      description: row.description ?? '',
      details: row.details ?? '',
    }
  }
}

const isSame = (one: StoredTexts, other: StoredTexts): boolean =>
  (Object.keys(one) as (keyof StoredTexts)[]).every((name) => one[name] === other[name])

const foldTexts = ({ title, speakers, plain, description, details }: StoredTexts): FoldedTexts => ({
  title: fold(title),
  speakers: fold(speakers),
  other: fold([plain, toPlainText(description), toPlainText(details)].join('\n')),
})
