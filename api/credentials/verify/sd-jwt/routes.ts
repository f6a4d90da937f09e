import { defineRoute, operators } from '../../../http/route.ts'
import { rootsOf } from './roots.ts'
import { SdJwtAssertions, SdJwtVerificationView } from './schemas.ts'
import { verifySdJwt } from './verify.ts'

export const verifySdJwtRoutes = [
  defineRoute({
    operation: 'verifySdJwtCredential',
    changesTenant: false,
    summary: 'Verify an SD-JWT VC, with or without the key binding of its holder',
    tag: 'Verification',
    method: 'POST',
    path: '/v2/credentials/sd-jwt/verify',
    access: operators('admin', 'verifier'),
    event: 'SD_JWT_CREDENTIAL_VERIFY',
    body: SdJwtAssertions,
    // A credential with a picture, and the roots.
    bodyLimitBytes: 700_000,
    status: 200,
    response: SdJwtVerificationView,
    problems: ['bad_request', 'service_unavailable'],
    async handle({ deps, deadlineAt, tenantId, body: { payload, trustedIssuers, keyBinding, ...assertions } }) {
      const expected = keyBinding && {
        nonce: keyBinding.nonce,
        audience: keyBinding.audience,
        maxAgeMs: keyBinding.maxAge * 1000,
      }
      const context = { deps, tenantId, deadlineAt }
      const findRoots = await rootsOf(context, trustedIssuers)
      const checks = { findRoots, keyBinding: expected, ...assertions }
      const { claims, issuer, failures } = await verifySdJwt(context, payload, checks)
      return {
        verified: failures.length === 0,
        ...(claims && { claims: { ...claims } }),
        ...(issuer && { issuer }),
        failures,
      }
    },
  }),
]
