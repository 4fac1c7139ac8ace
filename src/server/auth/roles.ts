import { type Role, roles } from '../../contract/access.ts'

/** The roles in a column, which are joined by commas. In their place, a credential may have a scope, which is none. */
export const rolesOf = (column: string): Role[] => {
  const names = column.split(',')
  return roles.filter((role) => names.includes(role))
}

/** @returns the first name that is not a role, or the roles without duplicates, in the order of `roles` */
export function parseRoles(names: readonly string[]): { unknown: string } | { roles: Role[] } {
  const unknown = names.find((name) => !roles.some((role) => role === name))
  return unknown === undefined ? { roles: roles.filter((role) => names.includes(role)) } : { unknown }
}
