import type { Reader } from '../../db/client.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { allows, type CallerRights, type Permission } from '../../shared/access/permissions.ts'
import { isBuiltIn, rightsOf } from '../../shared/access/roles.ts'
import type { OperatorAccess } from '../http/route.ts'

/**
 * Returns the rights that roles give now. Own roles are read from the database for each request, so that a change of a role applies at
 * once, in all processes, also to tokens and sessions.
 */
export async function findRights(db: Reader, tenantId: string, roles: readonly string[]): Promise<CallerRights> {
  if (roles.every(isBuiltIn)) return rightsOf(roles)
  const tenant = await findTenant(db, tenantId)
  return rightsOf(roles, tenant?.settings.roles)
}

/** Returns whether a caller can call an operation: by one of its roles, or by a permission of its own roles. */
export function mayCall({ roles, permissions }: CallerRights, access: OperatorAccess): boolean {
  if (roles.some((role) => access.roles.some((each) => each === role))) return true
  if (!access.permissions || roles.every(isBuiltIn)) return false
  if (access.permissions.length === 0) return permissions.length > 0
  return access.permissions.some((each) => allows({ permissions }, each))
}

/**
 * Returns the permission that a caller lacks to read all of what an operation changes. The permission `write` does not include `read`.
 * Returns undefined for a caller with one of the built-in roles of the operation.
 */
export function findUnreadable({ roles, permissions }: CallerRights, access: OperatorAccess): Permission | undefined {
  if (roles.some((role) => access.roles.some((each) => each === role))) return undefined
  const needed = (access.permissions ?? []).map((each): Permission => `${each.replace(/:.*$/, '')}:read`)
  return needed.find((each) => !allows({ permissions }, each))
}
