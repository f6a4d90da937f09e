import type { ClientRow } from '../../../db/repos/tenancy/clients.ts'
import type { OwnRole } from '../../../shared/access/own-roles.ts'
import { permissionsOf } from '../../../shared/access/roles.ts'

/** Presents a client. `ownRoles` are those of its tenant. */
export function presentClient({ id, name, roles }: ClientRow, ownRoles: readonly OwnRole[]) {
  return { clientId: id, name, roles, permissions: permissionsOf(roles, ownRoles) }
}
