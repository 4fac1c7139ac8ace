import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listUnrevokedOf } from '../../auth/credential-store.ts'
import { createSetupInvitation, isOpen, nobody } from '../../auth/invitations.ts'
import { hashSecret } from '../../auth/secret.ts'
import type { Context } from '../../context.ts'
import { hasOwner } from '../../domains/organizers/organizers.ts'
import { commandScope } from '../../scope.ts'

/** How long a setup link can be used; then there is another. */
const validMs = 30 * 60_000

/** How often the server looks whether the link is still needed and valid. */
const checkMs = 10_000

export interface SetupLink {
  /** Looks whether the link is still needed and valid, and replaces one that has expired. */
  check(): Promise<void>
}

/**
 * Offers the link with which the first owner signs in, as long as a summit where people sign in has no owner. It is
 * shown on the terminal, or else in the file `DATA_DIR/setup-link`, and never in the log. Of several servers, the one
 * that started last has the only valid link.
 * @param show prints a message on the terminal; undefined if there is none
 * @param announce prints a message that may be logged
 */
export async function offerSetupLink(
  ctx: Context,
  { show, announce }: { show: ((message: string) => void) | undefined; announce: (message: string) => void },
): Promise<SetupLink> {
  const { config, database, clock } = ctx
  const file = join(resolve(config.dataDir), 'setup-link')
  let ownHash = ''
  let timer: NodeJS.Timeout | undefined

  const create = async () => {
    const link = await database.transaction(async (db) => {
      // Another server may have signed the owner in meanwhile.
      if (await hasOwner(db)) return undefined
      const scope = commandScope(ctx, db, 'setup link')
      const secret = await createSetupInvitation(scope, scope.now + validMs)
      ownHash = hashSecret(secret)
      return scope.links.setup(secret)
    })
    if (link === undefined) return
    if (show)
      return show(`This summit has no owner yet. This link makes you its owner, once, within 30 minutes:\n  ${link}`)
    await rm(file, { force: true })
    await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' })
    announce(`This summit has no owner yet. The link in ${file} makes you its owner.`)
  }

  const check = async () => {
    if (await hasOwner(database.read)) {
      clearInterval(timer)
      return rm(file, { force: true })
    }
    const current = (await listUnrevokedOf(database.read, nobody)).find(
      (credential) => credential.kind === 'invitation' && isOpen(credential, clock()),
    )
    if (!current) return create()
    // Another server has replaced it.
    if (current.secret_sha256 !== ownHash) await rm(file, { force: true })
  }

  if (config.access === 'open' || (await hasOwner(database.read))) {
    await rm(file, { force: true })
    return { check: async () => {} }
  }
  await create()
  // While the database cannot be written, the next check tries again.
  timer = setInterval(() => check().catch(() => {}), checkMs).unref()
  return { check }
}
