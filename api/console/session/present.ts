import type { ConsoleSessionRow } from '../../../db/repos/console/sessions.ts'
import type { ClientRow } from '../../../db/repos/tenancy/clients.ts'
import type { OwnRole } from '../../../shared/access/own-roles.ts'
import type { CallerRights } from '../../../shared/access/permissions.ts'
import { permissionsOf, rightsOf } from '../../../shared/access/roles.ts'
import type { Config } from '../../../shared/settings/config.ts'
import { endsOf } from '../../access/console/session.ts'
import { mayCall } from '../../access/rights.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Route } from '../../http/route.ts'
import { presentClient } from '../../tenancy/clients/present.ts'

interface SignedIn {
  config: Pick<Config, 'production'>
  tenant: Tenant
  client: ClientRow | undefined
  session: ConsoleSessionRow | undefined
  /** All routes of the service. */
  routes: readonly Route[]
}

/**
 * Presents who is signed in: a client with its current roles, or the person of the session. A client with a token has no
 * session.
 */
export function presentSession({ config, tenant, client, session, routes }: SignedIn) {
  const { id: tenantId, name: tenantName, isReadOnly, settings } = tenant
  const who = client ? presentClient(client, settings.roles) : session && presentPerson(session, settings.roles)
  const operations = operationsOf(rightsOf(client?.roles ?? session?.roles ?? [], settings.roles), routes)
  const hasTestWallet = !config.production || settings.testWallet
  return { ...who, operations, tenantId, tenantName, hasTestWallet, isReadOnly, ...(session && timesOf(session)) }
}

/** Returns the operations that a caller can call, by the check of each request. */
function operationsOf(rights: CallerRights, routes: readonly Route[]): string[] {
  return routes.flatMap(({ operation, access }) =>
    access.kind === 'operators' && mayCall(rights, access) ? [operation] : [],
  )
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
