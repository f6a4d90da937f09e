import { X509Certificate } from 'node:crypto'
import type { Reader } from '../../../../db/client.ts'
import { listCertificates } from '../../../../db/repos/certificates/certificates.ts'
import { listTrustedIssuers } from '../../../../db/repos/certificates/trusted-issuers.ts'
import { defineRoute, operators } from '../../../http/route.ts'
import { SdJwtAssertions, SdJwtVerificationView } from './schemas.ts'
import { verifySdJwt } from './verify.ts'

export const verifySdJwtRoutes = [
  defineRoute({
    operation: 'verifySdJwtCredential',
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
      const roots = trustedIssuers ?? (await findRoots(deps.db.read, tenantId))
      const expected = keyBinding && {
        nonce: keyBinding.nonce,
        audience: keyBinding.audience,
        maxAgeMs: keyBinding.maxAge * 1000,
      }
      const context = { deps, tenantId, deadlineAt }
      const { claims, failures } = await verifySdJwt(context, payload, { roots, keyBinding: expected, ...assertions })
      return { verified: failures.length === 0, ...(claims && { claims: { ...claims } }), failures }
    },
  }),
]

/** The number of roots of each kind that are read. A tenant has a few. */
const maxRoots = 1_000

/** Returns the tenant's own IACAs, also inactive ones, and its trusted issuers, in PEM. */
async function findRoots(db: Reader, tenantId: string): Promise<string[]> {
  const [own, trusted] = await Promise.all([
    listCertificates(db, tenantId, 'iaca', { limit: maxRoots }),
    listTrustedIssuers(db, tenantId, maxRoots),
  ])
  const ofOwn = own.flatMap(({ certificate }) => (certificate ? [new X509Certificate(certificate).toString()] : []))
  return [...ofOwn, ...trusted.map(({ certificatePem }) => certificatePem)]
}
