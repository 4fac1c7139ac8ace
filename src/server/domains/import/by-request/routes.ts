import type { imageImports } from '../../../../contract/image-imports.ts'
import type { imports } from '../../../../contract/imports.ts'
import type { Handlers } from '../../../operation.ts'
import type { Resize } from '../../../platform/images/resizer.ts'
import type { FilePlanner } from './file-planner.ts'

// Loaded on demand, as a summit imports a few files, and plans take megabytes.
const ofProgram = () => import('./import-program.ts')
const ofParticipants = () => import('./import-participants.ts')
const ofImages = () => import('./import-images.ts')

export const importRoutes = (
  planner: FilePlanner,
  resize: Resize,
): Handlers<keyof typeof imports | keyof typeof imageImports> => ({
  planImport: { prepare: async (scope, input) => (await ofProgram()).planImport(scope, planner, input) },
  applyImport: { prepare: async (scope, input) => (await ofProgram()).prepareImport(scope, planner, input) },
  planParticipantsImport: {
    prepare: async (scope, input) => (await ofParticipants()).planParticipantsImport(scope, planner, input),
  },
  applyParticipantsImport: {
    prepare: async (scope, input) => (await ofParticipants()).prepareParticipantsImport(scope, planner, input),
  },
  planImagesImport: { prepare: async (scope, input) => (await ofImages()).planImagesImport(scope, input) },
  applyImagesImport: {
    prepare: async (scope, input, storeBlob) => (await ofImages()).prepareImagesImport(scope, resize, input, storeBlob),
  },
})
