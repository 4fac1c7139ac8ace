import type { overview } from '../../../contract/overview.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../operation.ts'
import { readOverview } from './overview.ts'

export const overviewRoutes = ({ config }: Context): Handlers<keyof typeof overview> => ({
  readOverview: async (scope) => ({ overview: await readOverview(scope, config) }),
})
