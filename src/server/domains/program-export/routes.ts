import type { programExport } from '../../../contract/program-export.ts'
import type { Context } from '../../context.ts'
import { createCurrentReader } from '../../log/changes/current.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { Handlers } from '../../operation.ts'
import { createProgramExport } from './export-program.ts'
import { createOwnCalendar } from './own-calendar.ts'
import { readProgram } from './program.ts'

export function programExportRoutes(
  { database, config }: Context,
  freshness: Freshness,
): Handlers<keyof typeof programExport> {
  const maxBytes = config.pageCacheBytes
  // The last program is in memory, too: to read it takes longer than to write a list of events.
  const readCurrent = createCurrentReader(
    { database, freshness, dependencies: ['program'], isStored: maxBytes > 0 },
    readProgram,
  )
  return {
    exportProgram: createProgramExport({ freshness, readCurrent, maxBytes }),
    readOwnCalendar: createOwnCalendar({ freshness, readCurrent }),
  }
}
