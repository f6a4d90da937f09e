import {
  findAuthenticationProvider,
  listAuthenticationProviders,
} from '../../../db/repos/issuance/sign-in-providers.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Deps } from '../../deps.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { operators } from '../../http/route.ts'
import { findDiscoveryWarnings } from './discover.ts'
import { presentAuthenticationProvider, type SavedProvider } from './present.ts'
import { createAuthenticationProvider, removeAuthenticationProvider, replaceAuthenticationProvider } from './save.ts'
import { AuthenticationProviderBody, AuthenticationProviderChanges, AuthenticationProviderView } from './schemas.ts'

const providers: Collection<SavedProvider> = {
  tag: 'Authentication providers',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/users/authentication-providers',
  id: 'id',
  events: 'USER_AUTHENTICATION_PROVIDER',
  view: AuthenticationProviderView,
  present: (row, { tenant, deps }) => presentAuthenticationProvider(row, tenant, deps.secrets),
}

export const authenticationProviderRoutes = [
  createAudited(providers, {
    operation: 'createAuthenticationProvider',
    summary: 'Configure the provider at which users sign in',
    body: AuthenticationProviderBody,
    problems: ['conflict'],
    handle: async ({ tenantId, body, deps, change }) =>
      withWarnings(deps, await createAuthenticationProvider(deps, change, tenantId, body)),
  }),
  listOf(providers, {
    operation: 'retrieveAuthenticationProviders',
    summary: 'List the authentication providers; there is at most one',
    rows: ({ tenantId, query, deps }) => listAuthenticationProviders(deps.db.read, tenantId, query.limit, query.cursor),
  }),
  retrieve(providers, {
    operation: 'retrieveAuthenticationProvider',
    summary: 'Retrieve an authentication provider',
    find: ({ tenantId, id, deps }) => findAuthenticationProvider(deps.db.read, tenantId, id),
  }),
  replaceAudited(providers, {
    operation: 'updateAuthenticationProvider',
    summary: 'Replace an authentication provider',
    body: AuthenticationProviderChanges,
    problems: ['conflict'],
    handle: ({ tenantId, id, body, deps, change }) => replaceAuthenticationProvider(deps, change, tenantId, id, body),
  }),
  removeAudited(providers, {
    operation: 'deleteAuthenticationProvider',
    summary: 'Delete an authentication provider at which no user signs in',
    problems: ['conflict'],
    remove: (tx, { tenantId, id }) => removeAuthenticationProvider(tx, tenantId, id),
  }),
]

/** It is saved whatever they are: the provider may be about to be set up. */
async function withWarnings(deps: Deps, row: SavedProvider): Promise<SavedProvider> {
  return { ...row, warnings: await findDiscoveryWarnings(deps, row) }
}
