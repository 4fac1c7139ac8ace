import { type ChangeKind, changeKinds } from '../../contract/changes.ts'
import type { Config } from '../../server/config/config.ts'
import { parseTime } from '../../server/core/clock.ts'
import { commandName } from '../../server/core/command-name.ts'
import { OperatorError } from '../../server/core/errors.ts'
import type { OrganizerId, ParticipantId } from '../../server/core/ids.ts'
import { type FoundChange, findKinds, readMatchingChanges } from '../../server/log/changes/find-changes.ts'
import { countImpossible, describeImpossible } from '../../server/log/changes/read-log.ts'
import { parseId } from '../identify-record.ts'
import { withContext } from '../with-context.ts'

type Timestamp = (ms: number) => string

interface Options {
  /** A kind such as `credential.revoked`, or all of a record: `credential`. */
  kind?: string
  record?: string
  actor?: string
  organizer?: string
  credential?: string
  /** A date or time in ISO 8601; in `TIMEZONE` if it has no offset. */
  since?: string
  /** Likewise. */
  before?: string
}

/** `summit audit list`: lists the changes that match all options, newest first. */
export async function list(config: Config, options: Options): Promise<void> {
  const { kind, record, actor, organizer, credential, since, before } = options
  const filter = {
    kinds: ifGiven(kind, parseKind),
    record: ifGiven(record, parseId),
    actor: ifGiven(actor, parseId) as ParticipantId | undefined,
    organizer: ifGiven(organizer, parseId) as OrganizerId | undefined,
    credential: ifGiven(credential, parseId),
  }
  await withContext(config, async ({ database, timestamp }) => {
    const readTime = (text: string) => parseTimeOption(text, timestamp)
    const times = { since: ifGiven(since, readTime), before: ifGiven(before, readTime) }
    for await (const changes of readMatchingChanges(database.read, { ...filter, ...times }))
      for (const change of changes) console.log(describe(change, timestamp))
    const impossible = await countImpossible(database.read)
    if (impossible > 0)
      throw new OperatorError(
        `Not listed, as inserted or altered: ${describeImpossible(impossible)}. To verify the whole log: ${commandName} audit verify`,
      )
  })
}

const ifGiven = <T>(text: string | undefined, parse: (text: string) => T): T | undefined =>
  text === undefined ? undefined : parse(text)

function describe(change: FoundChange, timestamp: Timestamp): string {
  const { id, at, kind, record_id, parent_id, actor_id, credential_id, organizer_id, request_id } = change
  const columns = [String(id).padStart(8), timestamp(at), kind.padEnd(maxKind), `record ${record_id}`]
  if (parent_id !== 0 && parent_id !== record_id) columns.push(`topic ${parent_id}`)
  if (actor_id !== 0) columns.push(`in the name of participant ${actor_id}`)
  if (credential_id !== 0) columns.push(`with credential ${credential_id}`)
  if (organizer_id) columns.push(`of organizer ${organizer_id}`)
  columns.push(`request ${request_id}`)
  return columns.join('  ')
}

const maxKind = Math.max(...changeKinds.map((kind) => kind.length))

function parseKind(text: string): ChangeKind[] {
  const kinds = findKinds(text)
  if (kinds.length > 0) return kinds
  const records = new Set(changeKinds.map((kind) => kind.split('.')[0]))
  throw new OperatorError(
    `There is no kind “${text}”. Use one of ${[...records].join(', ')}, or ${changeKinds.join(', ')}.`,
  )
}

function parseTimeOption(text: string, timestamp: Timestamp): number {
  const at = parseTime(text, timestamp)
  if (at !== undefined) return at
  throw new OperatorError(`“${text}” is not a date or a time, such as 2030-05-01 or 2030-05-01T09:00Z.`)
}
