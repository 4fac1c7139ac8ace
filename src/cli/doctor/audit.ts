import { findAuditKey } from '../../server/lifecycle/start/audit-key.ts'
import { type Check, ok, warning } from './diagnosis.ts'

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
