import type { imports } from '../../../../contract/imports.ts'
import type { Handlers } from '../../../operation.ts'
import type { FilePlanner } from './file-planner.ts'
import { planParticipantsImport, prepareParticipantsImport } from './import-participants.ts'
import { planImport, prepareImport } from './import-program.ts'

export const importRoutes = (planner: FilePlanner): Handlers<keyof typeof imports> => ({
  planImport: { prepare: (scope, input) => planImport(scope, planner, input) },
  applyImport: { prepare: (scope, input) => prepareImport(scope, planner, input) },
  planParticipantsImport: { prepare: (scope, input) => planParticipantsImport(scope, planner, input) },
  applyParticipantsImport: { prepare: (scope, input) => prepareParticipantsImport(scope, planner, input) },
})
