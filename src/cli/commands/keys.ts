import type { Role } from '../../contract/access.ts'
import { revokeCredential } from '../../server/auth/credentials.ts'
import { type CreatedKey, createAppUrl, createKey, createPersonalUrl, listKeys } from '../../server/auth/keys.ts'
import { rotateMediaKeys } from '../../server/auth/media-keys.ts'
import type { Config } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import { commandName } from '../../server/core/command-name.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { noParticipant, type ParticipantId } from '../../server/core/ids.ts'
import { dayMs } from '../../server/core/time-units.ts'
import { fullNameOf } from '../../server/domains/participants/participants.ts'
import { countChangesByCredential } from '../../server/log/changes/find-changes.ts'
import { commandScope } from '../../server/scope.ts'
import { identifyParticipant, noSuchRecord, parseId } from '../identify-record.ts'
import { withContext } from '../with-context.ts'
import { readRoles } from './organizers.ts'

interface Options {
  /** Id or e-mail address. */
  participant?: string
  /** Separated by commas. */
  role?: string
  /** Whether it is the secret URL of an app. */
  app?: boolean
  mayChange?: boolean
  /** A duration such as `90d`. */
  expiresIn?: string
}

/** `summit key create LABEL`: creates a key, and prints its secret once. */
export async function create(
  config: Config,
  label: string,
  { participant: idOrEmail, role, app = false, mayChange = false, expiresIn }: Options,
): Promise<void> {
  const keyRoles = readRoles(role)
  if (label.trim() === '') throw new OperatorError('The label is empty. Say what the key is for.')
  if (mayChange && !app) throw new OperatorError('--may-change requires --app.')
  if (app && (idOrEmail !== undefined || keyRoles.length > 0))
    throw new OperatorError(
      '--app cannot be combined with --participant or --role: the secret URL of an app is for all of its users.',
    )
  if (app) return createAppLink(config, label, mayChange, expiresIn)
  if (idOrEmail === undefined && keyRoles.length === 0)
    throw new OperatorError('Specify whose key it is: --participant for a participant, --role for an organizer.')
  await withContext(config, async (ctx) => {
    const person = idOrEmail === undefined ? undefined : await identifyParticipant(ctx.database.read, idOrEmail)
    const expiresAt = expiryOf(ctx, expiresIn)
    const key = { label, participant: person?.id ?? noParticipant, roles: keyRoles, expiresAt }
    const { id, secret, endedSignIns } = await ctx.database.transaction((tx) =>
      createKey(commandScope(ctx, tx, 'key create'), key),
    )
    const owner = person ? `participant ${person.id} (${fullNameOf(person)})` : 'an organizer'
    console.log(`Key ${id}, “${label}”, for ${owner}${describeRoles(keyRoles)}:\n`)
    console.log(`  ${secret}\n`)
    console.log('It is shown only now. Clients send it as: Authorization: Bearer <key>')
    if (endedSignIns)
      console.log(
        'What organizers other than owners had given the participant to sign in with has ended, sessions included. An ' +
          'owner can invite them, or set the address with which they sign in.',
      )
    if (config.access === 'open' && keyRoles.length === 0)
      console.log('With ACCESS=open the server accepts only keys with a role; set ACCESS=public or members.')
  })
}

/** `summit key create LABEL --app`: creates the secret URL of an app, and prints it once. */
async function createAppLink(
  config: Config,
  label: string,
  mayChange: boolean,
  expiresIn: string | undefined,
): Promise<void> {
  const base = baseOfSecretUrls(config)
  await withContext(config, async (ctx) => {
    const options = { label, mayChange, expiresAt: expiryOf(ctx, expiresIn) }
    const key = await ctx.database.transaction((tx) => createAppUrl(commandScope(ctx, tx, 'key create'), options))
    const scope = mayChange ? ' that may change and delete records' : ''
    printSecretUrl(base, key, `“${label}”, for an app${scope}`)
    console.log(`Anyone who unpacks the app can read it, and use it. To end it: ${commandName} key revoke ${key.id}`)
  })
}

/** `summit participant link ID`: creates the secret URL of a participant, and prints it once. */
export async function createLink(
  config: Config,
  idOrEmail: string,
  { expiresIn }: Pick<Options, 'expiresIn'>,
): Promise<void> {
  const base = baseOfSecretUrls(config)
  await withContext(config, async (ctx) => {
    const person = await identifyParticipant(ctx.database.read, idOrEmail)
    const options = { label: 'secret URL', participant: person.id, expiresAt: expiryOf(ctx, expiresIn) }
    const key = await ctx.database.transaction((tx) =>
      createPersonalUrl(commandScope(ctx, tx, 'participant link'), options),
    )
    printSecretUrl(base, key, `the secret URL of participant ${person.id} (${fullNameOf(person)})`)
  })
}

function baseOfSecretUrls({ access, publicUrl }: Config): string {
  if (access !== 'open' && publicUrl !== undefined) return publicUrl
  throw new OperatorError('With ACCESS=open there are no secret URLs; set ACCESS=public or members.')
}

function printSecretUrl(base: string, { id, secret }: CreatedKey, description: string): void {
  console.log(`Key ${id}, ${description}:\n`)
  console.log(`  ${base}/k/${secret}\n`)
  console.log('It is shown only now. Set it as the URL of the server in the app.')
}

/** Milliseconds since 1970; 0 for never. */
const expiryOf = ({ clock }: Pick<Context, 'clock'>, expiresIn: string | undefined): number =>
  expiresIn === undefined ? 0 : clock() + parseDays(expiresIn)

const describeRoles = (names: readonly Role[]): string =>
  names.length === 0 ? '' : ` with the role${names.length === 1 ? '' : 's'} ${names.join(', ')}`

function parseDays(text: string): number {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
  if (days === undefined) throw new OperatorError(`“${text}” is not a number of days from 1d to 9999d.`)
  return Number(days) * dayMs
}

/** `summit key list`: lists all keys without their secrets, with their use, newest first. */
export async function printKeys(config: Config): Promise<void> {
  await withContext(config, async ({ database, timestamp, clock }) => {
    const keys = await listKeys(database.read)
    const changes = await countChangesByCredential(database.read)
    console.log(formatCount(keys.length, 'key'))
    for (const { id, kind, label, participant_id, roles, created_at, expires_at, revoked_at, used_at } of keys) {
      const columns = [
        String(id).padStart(5),
        label,
        describeHolder(kind, participant_id),
        ...(roles === '' ? [] : [roles]),
        `created ${timestamp(created_at)}`,
        used_at === 0 ? 'never used' : `last used ${timestamp(used_at).slice(0, -':00:00'.length)}h`,
        formatCount(changes.get(id) ?? 0, 'change'),
      ]
      if (expires_at !== 0) columns.push(`${expires_at <= clock() ? 'EXPIRED' : 'expires'} ${timestamp(expires_at)}`)
      if (revoked_at !== 0) columns.push(`REVOKED ${timestamp(revoked_at)}`)
      console.log(columns.join('  '))
    }
  })
}

function describeHolder(kind: string, participant: ParticipantId): string {
  if (kind === 'app') return 'secret URL of an app'
  if (kind === 'personal') return `secret URL of participant ${participant}`
  return participant === noParticipant ? 'organizer' : `participant ${participant}`
}

/** `summit key rotate media`: from then on no link to an image or file that was given out before works. */
export async function rotateMedia(config: Config): Promise<void> {
  await withContext(config, async (ctx) => {
    await ctx.database.transaction((tx) => rotateMediaKeys(commandScope(ctx, tx, 'key rotate')))
    console.log('The links to images and files in earlier responses no longer work.')
  })
}

/** `summit key revoke ID`: no request with the key succeeds from then on, on any server. */
export async function revoke(config: Config, id: string): Promise<void> {
  const keyId = parseId(id)
  await withContext(config, async (ctx) => {
    const isRevoked = await ctx.database.transaction((tx) =>
      revokeCredential(commandScope(ctx, tx, 'key revoke'), keyId),
    )
    if (!isRevoked) throw noSuchRecord('unrevoked key', keyId)
    console.log(`Key ${keyId} is revoked.`)
  })
}
