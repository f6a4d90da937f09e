import { deleteConsoleProvider } from '../../../db/repos/console/providers.ts'
import { deleteConsoleSessionsOfPeople } from '../../../db/repos/console/sessions.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { findProviderOf } from '../../access/console/provider.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { withTag, withVersion } from '../../http/if-match.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { testProvider } from '../../relying-party/test-provider.ts'
import { ProviderTestView } from '../../relying-party/tested.ts'
import { presentConsoleProvider } from './present.ts'
import { givenProvider, replaceConsoleProvider } from './save.ts'
import { ConsoleProviderBody, ConsoleProviderView } from './schemas.ts'

const settings = { tag: 'Console', path: '/v1/sign-in-provider', access: operators('admin') } as const

function none(): Problem {
  return new Problem('not_found', { message: 'No sign-in provider is configured' })
}

export const consoleProviderRoutes = [
  defineAuditedRoute({
    ...settings,
    operation: 'replaceSignInProvider',
    summary:
      'Set the provider for sign-ins to the console, and the roles of people. If the roles change, signed-in people must sign in again.',
    method: 'PUT',
    event: 'SIGN_IN_PROVIDER_UPDATE',
    body: ConsoleProviderBody,
    status: 200,
    response: ConsoleProviderView,
    problems: ['bad_request', 'precondition_failed'],
    handle: async ({ tenant, body, headers, deps, change }) =>
      withTag(presentConsoleProvider(tenant, await replaceConsoleProvider(deps, change, { tenant, body, headers }))),
  }),
  defineRoute({
    ...settings,
    operation: 'retrieveSignInProvider',
    summary: 'Retrieve the provider for sign-ins to the console',
    method: 'GET',
    event: 'SIGN_IN_PROVIDER_RETRIEVE',
    status: 200,
    response: ConsoleProviderView,
    representations: { etag: 'version' },
    problems: ['not_found'],
    async handle({ tenant, deps }) {
      const provider = await findProviderOf(deps, tenant)
      if (!provider) throw none()
      return withVersion(presentConsoleProvider(tenant, provider))
    },
  }),
  defineRoute({
    ...settings,
    operation: 'testSignInProvider',
    changesTenant: false,
    summary: 'Test a provider: its metadata, its keys, and whether it knows this client. Nothing is stored.',
    method: 'POST',
    path: `${settings.path}/test`,
    event: 'SIGN_IN_PROVIDER_TEST',
    body: ConsoleProviderBody,
    status: 200,
    response: ProviderTestView,
    problems: ['bad_request'],
    async handle({ tenant, body, deps }) {
      const provider = await givenProvider(deps, tenant, body)
      const { redirectUrl } = presentConsoleProvider(tenant, provider)
      const claims = [provider.claim, provider.userClaim]
      const withoutClaims = 'people can sign in only with both claims'
      return testProvider(deps, { ...provider, claims, withoutClaims }, redirectUrl)
    },
  }),
  defineAuditedRoute({
    ...settings,
    operation: 'deleteSignInProvider',
    summary: 'Delete the sign-in provider. People who signed in there are signed out.',
    method: 'DELETE',
    event: 'SIGN_IN_PROVIDER_DELETE',
    status: 204,
    problems: ['not_found'],
    async handle({ tenantId, change }) {
      await change(async (tx, record) => {
        const id = await deleteConsoleProvider(tx, tenantId)
        if (id === undefined) throw none()
        await deleteConsoleSessionsOfPeople(tx, tenantId)
        record(tenantId, { id })
      })
    },
  }),
]
