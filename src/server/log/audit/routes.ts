import type { audit } from '../../../contract/audit.ts'
import type { Handlers } from '../../operation.ts'
import { listChanges } from './list-changes.ts'

export const auditRoutes: Handlers<keyof typeof audit> = {
  listChanges,
}
