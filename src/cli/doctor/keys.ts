import { stat } from 'node:fs/promises'
import type { Config } from '../../server/config/config.ts'
import { shellArg } from '../../server/core/shell-arg.ts'
import { auditKeyFileIn } from '../../server/lifecycle/start/audit-key.ts'
import { findSigningKey, keyFileIn } from '../../server/lifecycle/start/signing-key.ts'
import { type Check, type Diagnosis, orOk, problem, warning } from './diagnosis.ts'

/** Whether the signing key is present and secret, and backups in a bucket are encrypted. */
export const checkKeys: Check = async ({ loaded: { config }, database }) => {
  const { dataDir } = config
  const found = [
    ...(await checkKeyFile(keyFileIn(dataDir), 'the signing key')),
    ...(await checkKeyFile(auditKeyFileIn(dataDir), 'the key of the change log')),
    ...checkBackupKey(config),
  ]
  // Without a summit that this version can read, a key may or may not have to be there.
  if (!database) return found
  if (await findSigningKey(config, database.read)) return orOk(found, 'the signing key is present')
  const missing =
    'The signing key of this summit is missing: the next start generates another, whose signatures clients reject. ' +
    'Restore it from a backup, or set SIGNATURE_KEY.'
  return [problem(missing), ...found]
}

async function checkKeyFile(file: string, name: string): Promise<Diagnosis[]> {
  const stats = await stat(file).catch(() => undefined)
  if (!stats || process.platform === 'win32' || (stats.mode & 0o077) === 0) return []
  return [problem(`Other users of this machine can read or change ${name}. Run: chmod 600 ${shellArg(file)}`)]
}

const checkBackupKey = ({ backup: { to, key } }: Config): Diagnosis[] =>
  to === undefined || to.kind === 'folder' || key
    ? []
    : [
        warning(
          'Backups go to a bucket and are not encrypted. Set BACKUP_KEY to 64 random hex digits, for example from: openssl rand -hex 32',
        ),
      ]
