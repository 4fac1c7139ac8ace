import type { programExport } from '../../../contract/program-export.ts'
import type { Context } from '../../context.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { Handlers } from '../../operation.ts'
import { createProgramExport } from './export-program.ts'

export const programExportRoutes = (
  { database, config }: Context,
  freshness: Freshness,
): Handlers<keyof typeof programExport> => ({
  exportProgram: createProgramExport({ database, freshness, maxBytes: config.pageCacheBytes }),
})
