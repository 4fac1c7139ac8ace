import { type Role, roles } from '../contract/access.ts'
import { parseRoles } from '../server/auth/roles.ts'
import { splitList } from '../server/config/list.ts'
import { OperatorError } from '../server/core/operator-error.ts'

/** @param text roles, separated by commas @throws OperatorError */
export function readRoles(text = ''): Role[] {
  const parsed = parseRoles(splitList(text))
  if ('roles' in parsed) return parsed.roles
  throw new OperatorError(`There is no role “${parsed.unknown}”: the roles are ${roles.join(', ')}.`)
}
