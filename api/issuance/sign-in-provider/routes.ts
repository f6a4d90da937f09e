import { z } from 'zod'
import {
  findAuthenticationProvider,
  listAuthenticationProviders,
} from '../../../db/repos/issuance/sign-in-providers.ts'
import { notFound } from '../../../shared/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentAuthenticationProvider } from './present.ts'
import { createAuthenticationProvider, removeAuthenticationProvider, replaceAuthenticationProvider } from './save.ts'
import { AuthenticationProviderBody, AuthenticationProviderChanges, AuthenticationProviderView } from './schemas.ts'

const Params = z.object({ id: Uuid })
const access = operators('admin', 'issuer', 'managed-issuer')
const path = '/v1/users/authentication-providers'

export const authenticationProviderRoutes = [
  defineAuditedRoute({
    operation: 'createAuthenticationProvider',
    summary: 'Configure the provider at which users sign in',
    tag: 'Authentication providers',
    method: 'POST',
    path,
    access,
    event: 'USER_AUTHENTICATION_PROVIDER_CREATE',
    body: AuthenticationProviderBody,
    status: 201,
    response: AuthenticationProviderView,
    problems: ['bad_request', 'conflict'],
    async handle({ tenant, body, deps, change }) {
      return presentAuthenticationProvider(
        await createAuthenticationProvider(deps, change, tenant.id, body),
        tenant,
        deps.secrets,
      )
    },
  }),
  defineRoute({
    operation: 'retrieveAuthenticationProviders',
    summary: 'List the authentication providers; there is at most one',
    tag: 'Authentication providers',
    method: 'GET',
    path,
    access,
    event: 'USER_AUTHENTICATION_PROVIDER_RETRIEVE_LIST',
    query: PageQuery,
    status: 200,
    response: pageOf(AuthenticationProviderView),
    problems: ['bad_request'],
    async handle({ tenant, query, deps }) {
      const rows = await listAuthenticationProviders(deps.db.read, tenant.id, query.limit, query.cursor)
      return toPage(
        rows,
        query.limit,
        (row) => ({ at: row.createdAt, id: row.id }),
        (row) => presentAuthenticationProvider(row, tenant, deps.secrets),
      )
    },
  }),
  defineRoute({
    operation: 'retrieveAuthenticationProvider',
    summary: 'Retrieve an authentication provider',
    tag: 'Authentication providers',
    method: 'GET',
    path: `${path}/:id`,
    access,
    event: 'USER_AUTHENTICATION_PROVIDER_RETRIEVE',
    params: Params,
    status: 200,
    response: AuthenticationProviderView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant, params, deps }) {
      const row = await findAuthenticationProvider(deps.db.read, tenant.id, params.id)
      if (!row) throw notFound('id', params.id)
      return presentAuthenticationProvider(row, tenant, deps.secrets)
    },
  }),
  defineAuditedRoute({
    operation: 'updateAuthenticationProvider',
    summary: 'Replace an authentication provider',
    tag: 'Authentication providers',
    method: 'PUT',
    path: `${path}/:id`,
    access,
    event: 'USER_AUTHENTICATION_PROVIDER_UPDATE',
    params: Params,
    body: AuthenticationProviderChanges,
    status: 200,
    response: AuthenticationProviderView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenant, params, body, deps, change }) {
      return presentAuthenticationProvider(
        await replaceAuthenticationProvider(deps, change, tenant.id, params.id, body),
        tenant,
        deps.secrets,
      )
    },
  }),
  defineAuditedRoute({
    operation: 'deleteAuthenticationProvider',
    summary: 'Delete an authentication provider at which no user signs in',
    tag: 'Authentication providers',
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    event: 'USER_AUTHENTICATION_PROVIDER_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenant, params, change }) {
      await removeAuthenticationProvider(change, tenant.id, params.id)
    },
  }),
]
