import { defineRoute, operators } from '../../http/route.ts'
import { checkConformance } from './check-conformance.ts'
import { ConformanceView } from './schemas.ts'

export const conformanceRoutes = [
  defineRoute({
    operation: 'retrieveConformance',
    summary: 'Check the tenant against the High Assurance Interoperability Profile (HAIP 1.0)',
    tag: 'Discovery',
    method: 'GET',
    path: '/v1/openid/configuration/conformance',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_CONFORMANCE_RETRIEVE',
    status: 200,
    response: ConformanceView,
    problems: ['service_unavailable'],
    handle: ({ tenant, deps }) => checkConformance(deps, tenant),
  }),
]
