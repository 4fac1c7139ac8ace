import type { stars } from '../../../contract/stars.ts'
import type { Handlers } from '../../operation.ts'
import { listStars, updateStars } from './stars.ts'

export const starsRoutes: Handlers<keyof typeof stars> = { listStars, updateStars }
