import { responseCodes } from '../../contract/envelope.ts'
import { openInspection } from '../db/inspect.ts'
import { migrateDatabase } from '../db/open.ts'
import { DamagedBackup } from './damaged-backup.ts'
import { samplePaths } from './sample-paths.ts'
import { startScratchServer } from './scratch-server.ts'

/** Codes from here on are failures of the server. */
const firstServerFailure = 5000

/** The `data` of responses as JSON text, by path. */
export type ServedPages = ReadonlyMap<string, string>

/** Migrates the summit in a folder, starts a server on it, and requests a sample of its pages. */
export async function readServedPages(dir: string): Promise<ServedPages> {
  await migrateDatabase({ kind: 'folder', dir })
  await using server = await startScratchServer(dir)
  const pages = new Map<string, string>()
  for (const path of await pathsIn(dir)) {
    const [{ response_code, data }] = JSON.parse(await server.get(path)) as [{ response_code: number; data: unknown }]
    if (response_code >= firstServerFailure)
      throw new DamagedBackup(`${path} fails with ${response_code} when it is served`)
    // The data of a failure has the id of its request.
    pages.set(path, response_code === responseCodes.success ? JSON.stringify(data) : String(response_code))
  }
  return pages
}

async function pathsIn(dir: string): Promise<string[]> {
  const inspection = await openInspection({ kind: 'folder', dir })
  return samplePaths(inspection.read).finally(() => inspection.close())
}

/** @throws DamagedBackup when a page of the restored backup differs from that of the summit */
export function comparePages(expected: ServedPages, served: ServedPages): void {
  for (const [path, data] of expected)
    if (served.get(path) !== data) throw new DamagedBackup(`${path} differs when it is served from the restored backup`)
}
