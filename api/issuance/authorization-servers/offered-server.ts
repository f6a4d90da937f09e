import {
  type AuthorizationServerRow,
  findAuthorizationServers,
} from '../../../db/repos/issuance/authorization-servers.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { defineTenantCache } from '../../process/caches.ts'

type Server = Pick<AuthorizationServerRow, 'id' | 'issuer'>

/** A change by another process is visible after this time. */
const serversTtlMs = 1_000

const recentServersCache = defineTenantCache<Promise<Server[]>>('authorizationServers', {
  max: 1_000,
  ttl: serversTtlMs,
})

/** Returns the authorization servers of the tenant, oldest first. The result can be up to one second old. */
export async function findRecentServers({ db, caches }: Deps, tenantId: string): Promise<Server[]> {
  const cache = caches.of(recentServersCache)
  const cached = cache.get(tenantId)
  if (cached) return cached
  const loading = findAuthorizationServers(db.read, tenantId)
  cache.set(tenantId, loading)
  loading.catch(() => cache.delete(tenantId))
  return loading
}

/**
 * Returns the issuer that an offer names (OpenID4VCI 1.0, section 4.1.1): of the server with this id, or of the tenant or view itself. Undefined if
 * the metadata has one authorization server, because an offer then must not name it.
 */
export function offeredIssuer(
  tenant: { issuer: string },
  servers: Server[],
  id: string | null = null,
): string | undefined {
  if (servers.length === 0) return undefined
  return servers.find((server) => server.id === id)?.issuer ?? tenant.issuer
}

/** Returns the id of the server that an operator names by its id or its issuer. Null for the tenant or view itself. */
export function serverIdOf(
  tenant: { issuer: string },
  servers: Server[],
  authorizationServer: string | undefined,
): string | null {
  if (authorizationServer === undefined || authorizationServer === tenant.issuer) return null
  const server = servers.find(({ id, issuer }) => id === authorizationServer || issuer === authorizationServer)
  if (server) return server.id
  const message = 'Must be the id or the issuer of an authorization server, or the issuer identifier of the tenant'
  throw wrongField('authorizationServer', message, authorizationServer)
}
