import { isIPv6 } from 'node:net'
import type { Config } from '../server/config/config.ts'
import { inDataDir, makeDataDir } from '../server/storage/data-dir/data-dir.ts'
import { isInitialized } from '../server/storage/db/initialized.ts'
import { openInspection } from '../server/storage/db/inspect.ts'
import type { Db } from '../server/storage/db/tables.ts'

/**
 * Reads from the configured summit, without creating or changing anything.
 * @returns undefined if there is no summit yet
 */
export async function inspectSummit<T>(
  { database, dataDir }: Config,
  read: (db: Db) => Promise<T>,
): Promise<T | undefined> {
  return inDataDir(dataDir, async () => {
    if (!(await isInitialized(database))) return undefined
    // The folder exists; this call refuses root, whose files the folder's owner could not use.
    if (database.kind === 'folder') await makeDataDir(dataDir)
    const inspection = await openInspection(database)
    return await read(inspection.read).finally(() => inspection.close())
  })
}

/** A closed port refuses at once; a server that is busy with other requests may take seconds to respond. */
const timeoutMs = 5_000

/** The id of the summit that a server serves on the configured port; undefined if no Summit responds there. */
export async function findServedSummit({ host, port }: Config): Promise<string | undefined> {
  if (port === 0) return undefined
  try {
    const response = await fetch(`http://${reachable(host)}:${port}/healthz`, {
      signal: AbortSignal.timeout(timeoutMs),
    })
    const health: unknown = await response.json()
    return health instanceof Object && 'summit' in health ? String(health.summit) : undefined
  } catch {
    return undefined
  }
}

/** A server that listens on all addresses is reachable at the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
