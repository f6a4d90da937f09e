import type { ClientRow } from '../../db/repos/clients.ts'
import { permissionsOf } from '../../shared/roles.ts'

export function presentClient({ id, name, roles }: ClientRow) {
  return { clientId: id, name, roles, permissions: permissionsOf(roles) }
}
