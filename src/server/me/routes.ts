import type { me } from '../../contract/me.ts'
import type { Handlers } from '../operation.ts'
import { getMe } from './me.ts'

export const meRoutes: Handlers<keyof typeof me> = {
  getMe: (_input, scope) => getMe(scope),
}
