import type { Data } from '../../../contract/index.ts'
import { findByWords, fold } from '../../core/folded-text.ts'
import type { ParticipantId } from '../../core/ids.ts'
import { inTurns } from '../../core/in-turns.ts'
import { seesContacts } from '../../core/principal.ts'
import { type CurrentOptions, createCurrentReader } from '../../log/changes/current.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope } from '../../scope.ts'
import { pageOfVisible, toParticipant } from './participants.ts'
import type { ShownParticipant } from './store.ts'

/** The texts of a participant that are searched. */
interface Texts {
  name: string
  designation: string
  contacts: string
}

/** How much a word counts in each. */
const scores: Readonly<Record<keyof Texts, number>> = { name: 4, designation: 2, contacts: 1 }

interface Searched {
  row: ShownParticipant
  texts: Texts
  folded: Texts
}

/**
 * Creates the search, which looks at every text as that of the program does. What an audience does not see of a participant
 * is not read for its search, so nothing is found by it.
 */
export function createParticipantSearch(options: CurrentOptions) {
  const [readAll, readShared] = [createTextReader(options), createTextReader(options)]
  return async (
    scope: Scope,
    { q, offset, limit }: HandlerInput<'searchParticipants'>,
  ): Promise<Data<'searchParticipants'>> => {
    const searched = await (seesContacts(scope.audience) ? readAll(scope) : readShared(scope))
    const found = findByWords(searched, q, scores)
    return {
      participants: found.slice(offset, offset + limit).map(({ row }) => toParticipant(row, scope.links)),
      participant_count: found.length,
    }
  }
}

/** Creates a reader of what an audience sees. Only what has changed is folded again. */
function createTextReader(options: CurrentOptions): (scope: Scope) => Promise<Searched[]> {
  const readVisible = createCurrentReader(options, loadVisible)
  let last: { rows: ShownParticipant[]; searched: Promise<Searched[]> } | undefined
  let known = new Map<ParticipantId, Searched>()

  const prepare = async (rows: ShownParticipant[]): Promise<Searched[]> => {
    const searched = await inTurns(rows, (row): Searched => {
      const texts = textsOf(row)
      const earlier = known.get(row.id)
      return { row, texts, folded: earlier && isSame(earlier.texts, texts) ? earlier.folded : foldTexts(texts) }
    })
    known = new Map(searched.map((one) => [one.row.id, one]))
    return searched
  }

  return async (scope) => {
    const { value: rows } = await readVisible(scope, await options.freshness.refresh())
    if (last?.rows !== rows) last = { rows, searched: prepare(rows) }
    return last.searched
  }
}

/** Rows read per query. */
const batchSize = 10_000

/** All participants whom the audience sees, by id. */
async function loadVisible(scope: Scope): Promise<ShownParticipant[]> {
  const batches: ShownParticipant[][] = []
  for (let offset = 0; ; offset += batchSize) {
    const rows = await pageOfVisible(scope, { offset, limit: batchSize })
    batches.push(rows)
    if (rows.length < batchSize) return batches.flat()
  }
}

const textsOf = ({ full_name, designation, email, mobile_no, employee_no }: ShownParticipant): Texts => ({
  name: full_name,
  designation,
  contacts: [email, mobile_no, employee_no].join('\n'),
})

const isSame = (one: Texts, other: Texts): boolean =>
  one.name === other.name && one.designation === other.designation && one.contacts === other.contacts

const foldTexts = ({ name, designation, contacts }: Texts): Texts => ({
  name: fold(name),
  designation: fold(designation),
  contacts: fold(contacts),
})
