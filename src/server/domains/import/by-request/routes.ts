import type { imports } from '../../../../contract/imports.ts'
import type { Handlers } from '../../../operation.ts'
import type { FilePlanner } from './file-planner.ts'

// Loaded on demand, as a summit imports a few files, and plans take megabytes.
const ofProgram = () => import('./import-program.ts')
const ofParticipants = () => import('./import-participants.ts')

export const importRoutes = (planner: FilePlanner): Handlers<keyof typeof imports> => ({
  planImport: { prepare: async (scope, input) => (await ofProgram()).planImport(scope, planner, input) },
  applyImport: { prepare: async (scope, input) => (await ofProgram()).prepareImport(scope, planner, input) },
  planParticipantsImport: {
    prepare: async (scope, input) => (await ofParticipants()).planParticipantsImport(scope, planner, input),
  },
  applyParticipantsImport: {
    prepare: async (scope, input) => (await ofParticipants()).prepareParticipantsImport(scope, planner, input),
  },
})
