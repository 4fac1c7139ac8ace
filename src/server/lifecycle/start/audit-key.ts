import type { Config } from '../../config/config.ts'
import { commandName } from '../../core/command-name.ts'
import { HmacKey } from '../../core/hmac-key.ts'
import { isSealedWith } from '../../log/audit/verify-chain.ts'
import { newestChanges } from '../../log/changes/log.ts'
import { CannotOpen } from '../../storage/db/cannot-open.ts'
import type { Db } from '../../storage/db/tables.ts'
import { findKey, type KeyFile, keyFilePath, loadOrCreateKey } from './key-file.ts'
import { hasUnfinishedMove } from './unfinished-move.ts'

const file: KeyFile = { name: 'audit.key', setting: 'AUDIT_KEY' }

export const auditKeyFileIn = (dataDir: string): string => keyFilePath(file, dataDir)

/**
 * The key that seals the change log. It is never in the database, since somebody who can alter the log there must not
 * be able to seal it. A database in a folder gets one at the first start. On a server, where all nodes need the same
 * key, it has to be given: otherwise the log is not sealed.
 * @param initial the key to store if there is none yet, 64 hex digits
 */
export async function loadAuditKey(config: Config, initial?: string): Promise<HmacKey | undefined> {
  if (config.auditKey || (config.database.kind === 'server' && initial === undefined)) return findAuditKey(config)
  return new HmacKey(await loadOrCreateKey(file, config.dataDir, initial))
}

/** The key, if there is one. Creates nothing. */
export async function findAuditKey({ auditKey, dataDir }: Config): Promise<HmacKey | undefined> {
  const key = auditKey ?? (await findKey(file, dataDir))
  return key && new HmacKey(key)
}

/**
 * Checks the key against the newest change before anything is appended. The log of an unfinished restore may have been
 * sealed with a key that the backup does not contain.
 * @param warn called if the log is sealed with another key
 * @throws CannotOpen if the log is sealed and there is no key: what is appended would break the chain
 */
export async function checkAuditKey(db: Db, key: HmacKey | undefined, warn: (message: string) => void): Promise<void> {
  const [newest, before] = await newestChanges(db, 2)
  if (!newest || newest.hash === '' || (await hasUnfinishedMove(db))) return
  if (!key)
    throw new CannotOpen(
      'The change log of this summit is sealed with a key that is missing here. Set AUDIT_KEY to it on every server, or ' +
        'copy audit.key from the DATA_DIR that has it. If it is lost, set a new one, 64 hex digits.',
    )
  if (!isSealedWith(key, newest, before))
    warn(
      'The newest change of the log does not match AUDIT_KEY or audit.key. If the key was lost and replaced, a ' +
        `new chain begins; otherwise correct the key now, and run: ${commandName} audit verify`,
    )
}
