import { z } from 'zod'
import {
  type IntegratedCertificateRow,
  listIntegratedCertificates,
} from '../../../db/repos/ecosystems/integrated-certificates.ts'
import { findIntegrations, type IntegrationRow } from '../../../db/repos/ecosystems/integrations.ts'
import { rawCertificate } from '../../../shared/formats/trusted-lists/raw-certificate.ts'
import { subjectIn } from '../../../shared/formats/x509/name.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, exampleCertificate, named, Timestamp, Uuid } from '../../http/fields.ts'
import { cursorText, PageQuery, pageOf, writeCursorText } from '../../http/page.ts'
import { defineRoute } from '../../http/route.ts'
import { InEcosystem, readers } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { exampleListUrl, IntegrationFormatSchema, listUrlWords, mostIntegrations } from '../ecosystems/schemas.ts'

const Cursor = cursorText(
  z
    .tuple([Uuid, z.string().regex(/^[0-9a-f]{64}$/)])
    .transform(([integrationId, fingerprint]) => ({ integrationId, fingerprint })),
)

/** A list is named by its position, because its URL may hold secrets and queries stand in the logs of proxies. */
const Position = z
  .string()
  .regex(/^\d$/, `Must be a number from 0 to ${mostIntegrations - 1}`)
  .transform(Number)
  .meta({
    description: 'Only certificates of the list at this position in `integrations` of the ecosystem, from 0',
    type: 'integer',
    minimum: 0,
    maximum: mostIntegrations - 1,
  })

const CertificatesQuery = PageQuery.extend({
  cursor: Cursor.optional().describe('The `nextCursor` of the page before'),
  format: IntegrationFormatSchema.optional().describe('Only certificates of lists in this format'),
  integration: Position.optional(),
})

const IntegratedCertificateView = named(
  'IntegratedCertificate',
  'A certificate that a list of others gave',
  z.object({
    format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
    url: described(z.string(), listUrlWords, exampleListUrl),
    certificatePem: described(z.string(), 'The certificate in PEM', exampleCertificate),
    certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
    certificateData: named(
      'IntegratedCertificateData',
      'What the certificate says of itself',
      z.object({
        notBefore: described(Timestamp, 'From when it is valid', '2026-01-01T00:00:00.000Z'),
        notAfter: described(Timestamp, 'Until when it is valid', '2045-12-31T23:59:59.000Z'),
        country: described(z.string(), 'Of its subject', 'NZ').optional(),
        stateOrProvinceName: z.string().optional().describe('Of its subject'),
        organisationName: z.string().optional().describe('Of its subject'),
        commonName: described(z.string(), 'What its subject is called', 'Transport Agency IACA').optional(),
      }),
    ),
    docTypes: described(
      z.array(z.string()),
      'The types of mobile credentials that a VICAL lists it for; absent for a RICAL',
      ['org.iso.18013.5.1.mDL'],
    ).optional(),
  }),
)

export const integratedCertificatesRoute = defineRoute({
  operation: 'retrieveIntegratedCertificates',
  summary:
    'List the certificates of the last good lists of others. Those of a RICAL are of readers and never count as issuers',
  tag: 'Ecosystems',
  method: 'GET',
  path: '/v1/ecosystems/:ecosystemId/integrations/certificates',
  access: readers,
  event: 'ECOSYSTEM_INTEGRATION_CERTIFICATE_RETRIEVE_LIST',
  params: InEcosystem,
  query: CertificatesQuery,
  status: 200,
  response: pageOf(IntegratedCertificateView),
  problems: ['bad_request', 'not_found'],
  async handle({ tenantId, params: { ecosystemId }, query: { limit, cursor, format, integration }, deps }) {
    const db = deps.db.read
    await getEcosystem(db, tenantId, ecosystemId)
    const integrations = new Map<string, IntegrationRow>()
    for (const each of await findIntegrations(db, tenantId, [ecosystemId])) {
      const isAsked =
        (!format || each.format === format) && (integration === undefined || each.position === integration)
      if (isAsked) integrations.set(each.id, each)
    }
    const rows = await listIntegratedCertificates(db, tenantId, [...integrations.keys()], limit, cursor)
    const data = rows.slice(0, limit).flatMap((row) => {
      const integration = integrations.get(row.integrationId)
      return integration ? [present(row, integration)] : []
    })
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { data, ...(last && { nextCursor: writeCursorText([last.integrationId, last.fingerprint]) }) }
  },
})

function present(row: IntegratedCertificateRow, { format, url }: IntegrationRow) {
  const { certificate, fingerprint, notBefore, notAfter, docTypes } = row
  return {
    format,
    url,
    certificatePem: pemOf(certificate),
    certificateFingerprint: fingerprint,
    certificateData: {
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      ...readableSubject(certificate),
    },
    ...(format === 'VICAL' && { docTypes }),
  }
}

/** In PEM as RFC 7468, section 2, has it. The bytes stay as the list has them, so that the fingerprint is theirs. */
function pemOf(der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{1,64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}

/** Lists hold certificates that OpenSSL reads and a strict reader of ASN.1 does not: those are shown without a subject. */
function readableSubject(der: Buffer) {
  try {
    return subjectIn(rawCertificate(der).subject)
  } catch {
    return {}
  }
}
