import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listUnrevokedOf } from '../../auth/credential-store.ts'
import { createSetupInvitation, isOpen, nobody } from '../../auth/invitations.ts'
import { hashSecret } from '../../auth/secret.ts'
import type { Context } from '../../context.ts'
import { Links } from '../../core/links.ts'
import { hasOwner } from '../../domains/organizers/organizers.ts'
import { commandScope } from '../../scope.ts'

/** How long a setup link can be used; then there is another. */
const validMs = 30 * 60_000

/** How often the server looks whether the link is still needed and valid. */
const checkMs = 10_000

export interface SetupLink {
  /** Looks whether the link is still needed and valid. */
  check(): Promise<void>
}

interface SetupLinkOptions {
  /** The base of the link. */
  signInUrl: string
  /** Shows the link on the terminal; undefined if there is none. */
  show: ((link: string) => void) | undefined
  /** Names the file with the link in a message that may be logged. */
  announce: (file: string) => void
}

/**
 * Offers the link with which the first owner signs in, as long as a summit has no owner. It is shown on the terminal, or
 * else in the file `DATA_DIR/setup-link`, and never in the log. Of several servers, the one that started last has the only
 * valid link. Where `ACCESS` is `open`, a summit may never need an owner, so there is one link for each start.
 */
export async function offerSetupLink(
  ctx: Context,
  { signInUrl, show, announce }: SetupLinkOptions,
): Promise<SetupLink> {
  const { config, database, clock } = ctx
  const isRenewed = config.access !== 'open'
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
      return new Links(signInUrl, '').setup(secret)
    })
    if (link === undefined) return
    if (show) return show(link)
    await rm(file, { force: true })
    await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' })
    announce(file)
  }

  const check = async () => {
    if (await hasOwner(database.read)) {
      clearInterval(timer)
      return rm(file, { force: true })
    }
    const current = (await listUnrevokedOf(database.read, nobody)).find(
      (credential) => credential.kind === 'invitation' && isOpen(credential, clock()),
    )
    if (!current && isRenewed) return create()
    if (!current) clearInterval(timer)
    // It has expired, or another server has replaced it.
    if (current?.secret_sha256 !== ownHash) await rm(file, { force: true })
  }

  if (await hasOwner(database.read)) {
    await rm(file, { force: true })
    return { check: async () => {} }
  }
  // A summit that anyone may use starts also while its database cannot be written.
  await (isRenewed ? create() : create().catch(() => {}))
  // While the database cannot be written, the next check tries again.
  timer = setInterval(() => check().catch(() => {}), checkMs).unref()
  return { check }
}
