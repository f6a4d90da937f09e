import { X509Certificate } from 'node:crypto'
import { type CompleteCertificate, isComplete } from '../../../db/repos/certificates/certificates.ts'
import { findActiveAuthorities } from '../../../db/repos/certificates/signers.ts'
import type { AuthorityKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { PublishedEcosystemCas, PublishedIacas } from './schemas.ts'

/** The root certificates that verifiers and wallets trust. */
export const publishedRoutes = [
  defineRoute({
    operation: 'retrievePublishedIacas',
    summary: 'List the active IACAs under which credentials are signed (`mdoc_iacas_uri` of the metadata)',
    tag: 'Discovery',
    method: 'GET',
    path: '/v1/openid/iacas',
    access: anyone,
    status: 200,
    response: PublishedIacas,
    representations: { maxAgeSeconds: 60, cors: true },
    async handle({ tenantId, deps }) {
      const all = await findPublished(deps, tenantId, 'iaca')
      return { iacas: all.map(({ certificate }) => ({ certificate: certificate.toString('base64') })) }
    },
  }),
  defineRoute({
    operation: 'retrievePublishedEcosystemCas',
    summary: 'List the root certificates under which the trusted lists of ecosystems are signed',
    tag: 'Ecosystem certificates',
    method: 'GET',
    path: '/v1/ecosystems/public/certificates/ca',
    access: anyone,
    status: 200,
    response: PublishedEcosystemCas,
    representations: { maxAgeSeconds: 60, cors: true },
    async handle({ tenantId, deps }) {
      const all = await findPublished(deps, tenantId, 'ecosystem-ca')
      return { rootCertificates: all.map(presentRoot) }
    },
  }),
]

async function findPublished(
  { db, clock }: Deps,
  tenantId: string,
  kind: AuthorityKind,
): Promise<CompleteCertificate[]> {
  const rows = await findActiveAuthorities(db.read, tenantId, kind, clock.now())
  return rows.filter(isComplete)
}

function presentRoot({ certificate, notBefore, notAfter, fingerprint, subject }: CompleteCertificate) {
  return {
    certificate: new X509Certificate(certificate).toString(),
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    fingerprint,
    commonName: subject.commonName,
  }
}
