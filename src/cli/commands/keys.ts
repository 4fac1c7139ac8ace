import type { Role } from '../../contract/access.ts'
import { createKey, listKeys, revokeKey } from '../../server/access/keys.ts'
import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { noParticipant } from '../../server/core/ids.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { fullNameOf } from '../../server/participants/participants.ts'
import { commandScope } from '../../server/scope.ts'
import { identifyParticipant } from '../identify-participant.ts'
import { noSuchRecord } from '../no-such-record.ts'
import { readRoles } from '../read-roles.ts'
import { parseId } from '../record-id.ts'
import { withContext } from '../with-context.ts'

interface Options {
  /** Id or e-mail address. */
  participant?: string
  /** Separated by commas. */
  role?: string
  /** A duration such as `90d`. */
  expiresIn?: string
}

/** `summit key create LABEL`: creates a key, and prints its secret once. */
export async function create(
  config: Config,
  label: string,
  { participant: idOrEmail, role, expiresIn }: Options,
): Promise<void> {
  const keyRoles = readRoles(role)
  if (label.trim() === '') throw new OperatorError('The label is empty. Say what the key is for.')
  if (idOrEmail === undefined && keyRoles.length === 0)
    throw new OperatorError('Say whose key it is: with --participant, of a participant; with --role, of an organizer.')
  await withContext(config, async (ctx) => {
    const person = idOrEmail === undefined ? undefined : await identifyParticipant(ctx.database.read, idOrEmail)
    const expiresAt = expiresIn === undefined ? 0 : ctx.clock() + parseDays(expiresIn)
    const key = { label, participant: person?.id ?? noParticipant, roles: keyRoles, expiresAt }
    const { id, secret } = await ctx.database.transaction((tx) => createKey(commandScope(ctx, tx, 'key create'), key))
    const owner = person ? `participant ${person.id} (${fullNameOf(person)})` : 'an organizer'
    console.log(`Key ${id}, “${label}”, for ${owner}${describeRoles(keyRoles)}:\n`)
    console.log(`  ${secret}\n`)
    console.log('It is shown only now. Clients send it as: Authorization: Bearer <key>')
    if (config.access === 'open') console.log('With ACCESS=open the server ignores keys; set ACCESS=public or members.')
  })
}

const describeRoles = (names: readonly Role[]): string =>
  names.length === 0 ? '' : ` with the role${names.length === 1 ? '' : 's'} ${names.join(', ')}`

const dayMs = 24 * 60 * 60 * 1000

function parseDays(text: string): number {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
  if (days === undefined) throw new OperatorError(`“${text}” is not a number of days from 1d to 9999d.`)
  return Number(days) * dayMs
}

/** `summit key list`: lists all keys without their secrets, newest first. */
export async function printKeys(config: Config): Promise<void> {
  await withContext(config, async ({ database, timestamp, clock }) => {
    const keys = await listKeys(database.read)
    console.log(formatCount(keys.length, 'key'))
    for (const { id, label, participant_id, roles, created_at, expires_at, revoked_at, used_at } of keys) {
      const columns = [
        String(id).padStart(5),
        label,
        participant_id === noParticipant ? 'organizer' : `participant ${participant_id}`,
        ...(roles === '' ? [] : [roles]),
        `created ${timestamp(created_at)}`,
        used_at === 0 ? 'never used' : `last used ${timestamp(used_at).slice(0, -':00:00'.length)}h`,
      ]
      if (expires_at !== 0) columns.push(`${expires_at <= clock() ? 'EXPIRED' : 'expires'} ${timestamp(expires_at)}`)
      if (revoked_at !== 0) columns.push(`REVOKED ${timestamp(revoked_at)}`)
      console.log(columns.join('  '))
    }
  })
}

/** `summit key revoke ID`: no request with the key succeeds from then on, on any server. */
export async function revoke(config: Config, id: string): Promise<void> {
  const keyId = parseId(id)
  await withContext(config, async (ctx) => {
    const isRevoked = await ctx.database.transaction((tx) => revokeKey(commandScope(ctx, tx, 'key revoke'), keyId))
    if (!isRevoked) throw noSuchRecord('unrevoked key', keyId)
    console.log(`Key ${keyId} is revoked.`)
  })
}
