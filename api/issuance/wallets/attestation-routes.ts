import { defineRoute, operators } from '../../http/route.ts'
import { AttestationTestView, AttestationToTest } from './schemas.ts'
import { tryAttestation } from './try-attestation.ts'

export const attestationRoutes = [
  defineRoute({
    operation: 'testClientAttestation',
    changesTenant: false,
    summary:
      'Test the attestation of a wallet: whether the token endpoint would accept it, and if not, the reason. Nothing is stored',
    tag: 'Wallet providers',
    method: 'POST',
    path: '/v1/openid/client-attestations/test',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'OPENID_CLIENT_ATTESTATION_TEST',
    body: AttestationToTest,
    status: 200,
    response: AttestationTestView,
    problems: ['bad_request'],
    handle: ({ tenant, body, deps }) => tryAttestation(deps, tenant, body),
  }),
]
