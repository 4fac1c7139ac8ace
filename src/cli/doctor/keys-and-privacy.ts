import { stat } from 'node:fs/promises'
import type { Config } from '../../server/config/config.ts'
import { timestampFormatter } from '../../server/core/clock.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { shellArg } from '../../server/core/shell-arg.ts'
import { readRetention, showsWarnings } from '../../server/lifecycle/schedules/retention.ts'
import { auditKeyFileIn, findAuditKey, findSigningKey, keyFileIn } from '../../server/lifecycle/start/keys.ts'
import { type Check, type Diagnosis, ok, orOk, problem, warning } from './diagnosis.ts'

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

/** Says against whom the seal of the change log protects it. */
export const checkAudit: Check = async ({ loaded: { config }, database }) => {
  if (!database) return []
  if (config.auditKey)
    return [
      ok(
        'the change log is sealed with AUDIT_KEY, without which nobody can seal an altered change; heads in backups elsewhere ' +
          'also show changes that were removed at the end, or unsealed (docs/operate/audit.md)',
      ),
    ]
  if (await findAuditKey(config))
    return [
      ok(
        'the change log is sealed with audit.key in DATA_DIR, which proves nothing against somebody who can write there; ' +
          'AUDIT_KEY and backups elsewhere do (docs/operate/audit.md)',
      ),
    ]
  return [
    warning(
      'There is no key for the change log, so it is not sealed. Set AUDIT_KEY to 64 random hex digits, for example from: ' +
        'openssl rand -hex 32. If it was sealed before, set the key of then.',
    ),
  ]
}

/** Whether all participants are going to be erased. */
export const checkPrivacy: Check = async ({ loaded: { config }, database }) => {
  const after = config.erasePersonalDataAfter
  if (after === undefined || !database) return []
  const timestamp = timestampFormatter(config.timeZone)
  const retention = await readRetention(database.read, after, Date.now(), (ms) => timestamp(ms).slice(0, 10))
  if (retention.state === 'disabled') return []
  if (retention.state === 'erased') return [ok(`all participants were erased after ${after}`)]
  if (!showsWarnings(config))
    return [
      warning(
        `LOG_LEVEL=${config.logLevel} hides the warnings without which participants are not erased. Set it to warn or ` +
          'info, or unset ERASE_PERSONAL_DATA_AFTER.',
      ),
    ]
  const { state, on, warningsLeft } = retention
  const left = `after ${formatCount(warningsLeft, 'more warning')} in the log, each on another day`
  if (state === 'planned') return [ok(`all participants will be erased on ${on}, ${left}`)]
  return [
    warning(
      `A server will erase all participants on ${on}, ${left}. To prevent it, unset ERASE_PERSONAL_DATA_AFTER in every server.`,
    ),
  ]
}
