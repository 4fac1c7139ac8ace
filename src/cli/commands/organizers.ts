import { type Role, roles } from '../../contract/access.ts'
import { parseRoles } from '../../server/auth/roles.ts'
import type { Config } from '../../server/config/config.ts'
import { splitList } from '../../server/config/list.ts'
import { signInUrlOf } from '../../server/config/sign-in-url.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { Links } from '../../server/core/links.ts'
import {
  findOrganizer,
  inviteOrganizer,
  listOrganizers,
  removeOrganizer,
} from '../../server/domains/organizers/organizers.ts'
import { commandScope } from '../../server/scope.ts'
import { withContext } from '../with-context.ts'

/**
 * `summit organizer invite EMAIL`: adds an organizer or changes their roles, and prints a link to sign in with once.
 */
export async function invite(config: Config, email: string, { role }: { role: string }): Promise<void> {
  const roles = readRoles(role).join(',')
  const signInUrl = signInUrlOf(config)
  if (signInUrl === undefined || (config.publicUrl === undefined && config.port === 0))
    throw new OperatorError('Set PUBLIC_URL to an https URL: the link of the invitation begins with it.')
  await withContext(config, async (ctx) => {
    const { organizer, invitation } = await ctx.database.transaction((tx) =>
      inviteOrganizer(
        { ...commandScope(ctx, tx, 'organizer invite'), links: new Links(signInUrl, '') },
        { email, roles },
      ),
    )
    console.log(`Invitation for ${organizer.email}, with the roles ${organizer.roles.join(', ')}:\n`)
    console.log(`  ${invitation.link}\n`)
    console.log(`It is shown only now, and can be used once, until ${invitation.expires_at}.`)
    if (config.publicUrl === undefined)
      console.log(
        `It is for a server on port ${config.port} of this machine: for another, set PORT as the server has it.`,
      )
  })
}

/** `summit organizer list`: lists the organizers with their roles. */
export async function printOrganizers(config: Config): Promise<void> {
  await withContext(config, async (ctx) => {
    const { organizers } = await listOrganizers(commandScope(ctx, ctx.database.read, 'organizer list'))
    console.log(formatCount(organizers.length, 'organizer'))
    for (const { id, email, roles, created_at } of organizers)
      console.log([id.padStart(5), email, roles.join(','), `since ${created_at}`].join('  '))
  })
}

/** `summit organizer remove EMAIL`: ends all that they have, on any server. */
export async function remove(config: Config, email: string): Promise<void> {
  await withContext(config, async (ctx) => {
    await ctx.database.transaction(async (tx) => {
      const organizer = await findOrganizer(tx, email)
      if (!organizer) throw new OperatorError(`There is no organizer with the e-mail address “${email}”.`)
      await removeOrganizer(commandScope(ctx, tx, 'organizer remove'), organizer.id)
    })
    console.log(`${email} is no longer an organizer.`)
  })
}

/** @param text roles, separated by commas @throws OperatorError */
export function readRoles(text = ''): Role[] {
  const parsed = parseRoles(splitList(text))
  if ('roles' in parsed) return parsed.roles
  throw new OperatorError(`There is no role “${parsed.unknown}”: the roles are ${roles.join(', ')}.`)
}
