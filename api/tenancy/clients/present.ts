import type { ClientRow } from '../../../db/repos/tenancy/clients.ts'
import { permissionsOf } from '../../../shared/access/roles.ts'

export function presentClient({ id, name, roles }: ClientRow) {
  return { clientId: id, name, roles, permissions: permissionsOf(roles) }
}
