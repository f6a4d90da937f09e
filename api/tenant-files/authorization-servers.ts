import { findAuthorizationServer } from '../../db/repos/issuance/authorization-servers.ts'
import { privateKeyJwt } from '../../shared/domain/identifiers/client-assertions.ts'
import { openServerSecret } from '../issuance/authorization-servers/client-secret.ts'
import { checkDiscovery } from '../issuance/authorization-servers/discovery.ts'
import { AuthorizationServerBody } from '../issuance/authorization-servers/schemas.ts'
import { configurationKinds } from './configuration-kinds.ts'
import type { KindDefinition } from './kind.ts'
import { valueAt } from './members.ts'

/** Authorization servers of the tenant. Their discovery is checked before the transaction of an apply. */
export const authorizationServerKind: KindDefinition = {
  name: 'authorization server',
  path: '/v1/openid/authorization-servers',
  nameOf: ({ name }) => name,
  references: { 'scopes.*': configurationKinds },
  secret: {
    pathIn({ introspection }) {
      const hasSecret =
        introspection !== undefined && valueAt(introspection, 'tokenEndpointAuthMethod') !== privateKeyJwt
      return hasSecret ? 'introspection.clientSecret' : undefined
    },
    async read(db, secrets, tenantId, id) {
      const row = await findAuthorizationServer(db, tenantId, id)
      return row && openServerSecret(secrets, row)
    },
  },
  async checkOutside(deps, tenantId, { scopes: _, ...content }) {
    const { introspection, ...server } = AuthorizationServerBody.parse(content)
    await checkDiscovery(deps, tenantId, { ...server, hasIntrospection: introspection !== undefined })
  },
}
