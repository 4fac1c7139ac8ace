import { responseCodes } from '../../../contract/envelope.ts'
import { openInspection } from '../../storage/db/inspect.ts'
import { migrateDatabase } from '../../storage/db/open.ts'
import { DamagedBackup } from './backup-reader.ts'
import { samplePaths } from './sample-paths.ts'

/** Codes from here on are failures of the server. */
const firstServerFailure = 5000

/** The `data` of responses as JSON text, by path. */
export type ServedPages = ReadonlyMap<string, string>

/** A server on a copy of a summit, stopped when disposed. */
export interface ScratchServer extends AsyncDisposable {
  /** Requests a path. @returns the body of the response */
  get(path: string): Promise<string>
}

/** Starts a server on the summit in a folder. */
export type StartScratchServer = (dir: string) => Promise<ScratchServer>

/** Migrates the summit in a folder, starts a server on it, and requests a sample of its pages. */
export async function readServedPages(dir: string, startServer: StartScratchServer): Promise<ServedPages> {
  await migrateDatabase({ kind: 'folder', dir })
  await using server = await startServer(dir)
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
