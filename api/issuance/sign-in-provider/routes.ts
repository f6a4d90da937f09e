import { z } from 'zod'
import {
  findAuthenticationProvider,
  listAuthenticationProviders,
} from '../../../db/repos/issuance/sign-in-providers.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Deps } from '../../deps.ts'
import type { Versioned } from '../../http/collection.ts'
import { idOf } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { testProvider } from '../../relying-party/test-provider.ts'
import { ProviderTestView } from '../../relying-party/tested.ts'
import { findDiscoveryWarnings, partyOf } from './discover.ts'
import { presentAuthenticationProvider, redirectUrlOf, type SavedProvider } from './present.ts'
import { createAuthenticationProvider, removeAuthenticationProvider, replaceAuthenticationProvider } from './save.ts'
import { AuthenticationProviderBody, AuthenticationProviderChanges, AuthenticationProviderView } from './schemas.ts'

const providers: Versioned<SavedProvider> = {
  tag: 'Authentication providers',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/users/authentication-providers',
  id: 'id',
  events: 'USER_AUTHENTICATION_PROVIDER',
  view: AuthenticationProviderView,
  hasVersions: true,
  present: (row, { tenant, deps }) => presentAuthenticationProvider(row, tenant, deps.secrets),
}

export const authenticationProviderRoutes = [
  ...auditedCrudOf(providers, {
    name: 'AuthenticationProvider',
    create: {
      summary: 'Configure the provider at which users sign in',
      body: AuthenticationProviderBody,
      problems: ['conflict'],
      handle: async ({ tenantId, body, deps, change }) =>
        withWarnings(deps, await createAuthenticationProvider(deps, change, tenantId, body)),
    },
    list: { summary: 'List the authentication providers. A tenant has at most one', rows: listAuthenticationProviders },
    retrieve: { summary: 'Retrieve an authentication provider', find: findAuthenticationProvider },
    update: {
      summary: 'Replace an authentication provider',
      body: AuthenticationProviderChanges,
      problems: ['conflict'],
      handle: ({ tenantId, id, body, deps, change, requireMatch }) =>
        replaceAuthenticationProvider(deps, change, { tenantId, id, body, requireMatch }),
    },
    delete: {
      summary: 'Delete an authentication provider that no user signs in with',
      problems: ['conflict'],
      remove: (tx, { tenantId, id }) => removeAuthenticationProvider(tx, tenantId, id),
    },
  }),
  defineRoute({
    operation: 'testAuthenticationProvider',
    changesTenant: false,
    summary: 'Test a provider: its metadata, its keys, and whether it knows this service. Nothing is stored',
    tag: providers.tag,
    method: 'POST',
    path: `${providers.path}/:id/test`,
    access: providers.access,
    event: 'USER_AUTHENTICATION_PROVIDER_TEST',
    params: z.object({ id: idOf('authentication provider') }),
    status: 200,
    response: ProviderTestView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant, params: { id }, deps }) {
      const row = await findAuthenticationProvider(deps.db.read, tenant.id, id)
      if (!row) throw notFound('id', id)
      const { scope, claimsToPersist: claims } = row
      const withoutClaims = 'no claims are stored for the user'
      return testProvider(deps, { ...partyOf(deps, row), scope, claims, withoutClaims }, redirectUrlOf(tenant))
    },
  }),
]

/** Adds warnings to a saved provider. Warnings do not prevent saving, because the provider may not be set up yet. */
async function withWarnings(deps: Deps, row: SavedProvider): Promise<SavedProvider> {
  return { ...row, warnings: await findDiscoveryWarnings(deps, row) }
}
