import { changeKinds } from '../../contract/changes.ts'
import { newestChangesOf } from '../../server/changes/log.ts'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import type { Row } from '../../server/db/tables.ts'
import { parseId } from '../record-id.ts'
import { withContext } from '../with-context.ts'

interface Options {
  /** A kind such as `credential.revoked`, or all of a record: `credential`. */
  kind?: string
  actor?: string
  credential?: string
  /** A date or time in ISO 8601; UTC without an offset. */
  since?: string
}

/** `summit audit list`: lists the changes that match all options, newest first. */
export async function list(config: Config, { kind, actor, credential, since }: Options): Promise<void> {
  const filter = {
    ...(kind !== undefined && { kinds: parseKind(kind) }),
    ...(actor !== undefined && { actor: parseId(actor) }),
    ...(credential !== undefined && { credential: parseId(credential) }),
    ...(since !== undefined && { since: parseSince(since) }),
  }
  await withContext(config, async ({ database, timestamp }) => {
    for await (const changes of newestChangesOf(database.read, filter))
      for (const change of changes) console.log(describe(change, timestamp))
  })
}

function describe(change: Row<'change'>, timestamp: (ms: number) => string): string {
  const { id, at, kind, record_id, parent_id, actor_id, credential_id, request_id } = change
  const columns = [String(id).padStart(8), timestamp(at), kind.padEnd(maxKind), `record ${record_id}`]
  if (parent_id !== 0 && parent_id !== record_id) columns.push(`topic ${parent_id}`)
  if (actor_id !== 0) columns.push(`in the name of participant ${actor_id}`)
  if (credential_id !== 0) columns.push(`with credential ${credential_id}`)
  columns.push(`request ${request_id}`)
  return columns.join('  ')
}

const maxKind = Math.max(...changeKinds.map((kind) => kind.length))

function parseKind(text: string): string[] {
  const kinds = changeKinds.filter((kind) => kind === text || kind.startsWith(`${text}.`))
  if (kinds.length > 0) return kinds
  const records = new Set(changeKinds.map((kind) => kind.split('.')[0]))
  throw new OperatorError(
    `There is no kind “${text}”. Use one of ${[...records].join(', ')}, or ${changeKinds.join(', ')}.`,
  )
}

function parseSince(text: string): number {
  const at = Date.parse(/T/.test(text) && !/Z$|[+-]\d\d:\d\d$/.test(text) ? `${text}Z` : text)
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?$/.test(text) && !Number.isNaN(at)) return at
  throw new OperatorError(`“${text}” is not a date or a time, such as 2030-05-01 or 2030-05-01T09:00Z.`)
}
