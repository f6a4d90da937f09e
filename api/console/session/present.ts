import type { ConsoleSessionRow } from '../../../db/repos/console/sessions.ts'
import type { ClientRow } from '../../../db/repos/tenancy/clients.ts'
import type { OwnRole } from '../../../shared/access/own-roles.ts'
import { permissionsOf } from '../../../shared/access/roles.ts'
import type { Config } from '../../../shared/settings/config.ts'
import { endsOf } from '../../access/console/session.ts'
import type { Tenant } from '../../access/subjects.ts'
import { presentClient } from '../../tenancy/clients/present.ts'

/**
 * Presents who is signed in: a client with its current roles, or the person of the session. A client with a token has no
 * session.
 */
export function presentSession(
  { production }: Pick<Config, 'production'>,
  { id: tenantId, name: tenantName, isReadOnly, settings }: Tenant,
  client: ClientRow | undefined,
  session: ConsoleSessionRow | undefined,
) {
  const who = client ? presentClient(client, settings.roles) : session && presentPerson(session, settings.roles)
  const hasTestWallet = !production || settings.testWallet
  return { ...who, tenantId, tenantName, hasTestWallet, isReadOnly, ...(session && timesOf(session)) }
}

function presentPerson(
  { managementUserId, managementUserName, roles }: ConsoleSessionRow,
  ownRoles: readonly OwnRole[],
) {
  return { managementUserId, name: managementUserName, roles, permissions: permissionsOf(roles ?? [], ownRoles) }
}

function timesOf(session: ConsoleSessionRow) {
  const { until, idleUntil } = endsOf(session)
  return { since: session.createdAt.toISOString(), until: until.toISOString(), idleUntil: idleUntil.toISOString() }
}
