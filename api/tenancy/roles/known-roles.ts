import type { Writer } from '../../../db/client.ts'
import { findConsoleProvider } from '../../../db/repos/console/providers.ts'
import { listRolesOfClients } from '../../../db/repos/tenancy/clients.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import type { OwnRole } from '../../../shared/access/own-roles.ts'
import { tenantRoles } from '../../../shared/access/roles.ts'
import { Problem } from '../../../shared/errors/errors.ts'

/** Throws `bad_request` for the first role that clients and people of the tenant cannot have. `param` is the field of the list. */
export function requireKnownRoles({ kind, settings }: TenantRow, roles: readonly string[], param: string): void {
  const names = kind === 'platform' ? ['platform'] : [...tenantRoles, ...settings.roles.map(({ name }) => name)]
  const wrong = roles.findIndex((role) => !names.includes(role))
  if (wrong < 0) return
  const value = roles[wrong]
  const msg =
    kind !== 'platform' && value === 'platform'
      ? 'Only clients of the platform can have this role'
      : `Must be one of the roles ${names.join(', ')}`
  throw new Problem('bad_request', { details: [{ param: `${param}.${wrong}`, location: 'body', msg, value }] })
}

/** Throws `conflict` if a client or the sign-in provider has a role that the tenant will not define any more. */
export async function refuseUsedRoles(
  tx: Writer,
  { id, settings }: TenantRow,
  after: readonly OwnRole[],
): Promise<void> {
  const kept = new Set(after.map(({ name }) => name))
  const removed = settings.roles.map(({ name }) => name).filter((name) => !kept.has(name))
  if (removed.length === 0) return
  const usedOf = (roles: readonly string[]) => removed.find((role) => roles.includes(role))
  for (const client of await listRolesOfClients(tx, id)) {
    const role = usedOf(client.roles)
    if (role !== undefined)
      throw inUse(role, `The client ${client.name} (${client.id}) has it. Change its roles first.`)
  }
  const provider = await findConsoleProvider(tx, id)
  for (const { value, roles } of provider?.roles ?? []) {
    const role = usedOf(roles)
    if (role !== undefined)
      throw inUse(role, `People with the value ${value} of the sign-in provider have it. Change its roles first.`)
  }
}

function inUse(role: string, message: string): Problem {
  return new Problem('conflict', { message: `The role ${role} is in use. ${message}` })
}
