import { z } from 'zod'
import {
  type IntegratedCertificateRow,
  listIntegratedCertificates,
} from '../../../db/repos/ecosystems/integrated-certificates.ts'
import { findIntegrations, type IntegrationRow } from '../../../db/repos/ecosystems/integrations.ts'
import { pemOfDer } from '../../../shared/formats/certificate.ts'
import { rawCertificate } from '../../../shared/formats/trusted-lists/raw-certificate.ts'
import { subjectIn } from '../../../shared/formats/x509/name.ts'
import { listUrlFor } from '../../access/shown-to.ts'
import type { Caller } from '../../access/subjects.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, exampleCertificate, named, Timestamp, Uuid } from '../../http/fields.ts'
import { cursorText, PageQuery, pageOf, writeCursorText } from '../../http/page.ts'
import { defineRoute } from '../../http/route.ts'
import { EcosystemParams, readerAccess } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import {
  exampleListUrl,
  IntegrationFormatSchema,
  LoteServiceSchema,
  maxIntegrations,
  shownUrlDescription,
} from '../ecosystems/schemas.ts'

const Cursor = cursorText(
  z
    .tuple([Uuid, z.string().regex(/^[0-9a-f]{64}$/)])
    .transform(([integrationId, fingerprint]) => ({ integrationId, fingerprint })),
)

/** Identifies a list by its position. Its URL can contain secrets, and proxies log queries. */
const Position = z
  .string()
  .regex(/^\d$/, `Must be a number from 0 to ${maxIntegrations - 1}`)
  .transform(Number)
  .meta({
    description: 'Only certificates of the list at this position in `integrations` of the ecosystem, from 0',
    type: 'integer',
    minimum: 0,
    maximum: maxIntegrations - 1,
  })

const CertificatesQuery = PageQuery.extend({
  cursor: Cursor.optional().describe('The `nextCursor` of the previous page'),
  format: IntegrationFormatSchema.optional().describe('Only certificates of lists in this format'),
  integration: Position.optional(),
})

const IntegratedCertificateView = named(
  'IntegratedCertificate',
  'A certificate from an external list',
  z.object({
    format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
    url: described(z.string(), shownUrlDescription, exampleListUrl),
    certificatePem: described(z.string(), 'The certificate in PEM', exampleCertificate),
    certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
    certificateData: named(
      'IntegratedCertificateData',
      'The fields of the certificate',
      z.object({
        notBefore: described(Timestamp, 'The start of its validity', '2026-01-01T00:00:00.000Z'),
        notAfter: described(Timestamp, 'The end of its validity', '2045-12-31T23:59:59.000Z'),
        country: described(z.string(), 'The country of its subject', 'NZ').optional(),
        stateOrProvinceName: z.string().optional().describe('The state or province of its subject'),
        organisationName: z.string().optional().describe('The organisation of its subject'),
        commonName: described(z.string(), 'The common name of its subject', 'Transport Agency IACA').optional(),
      }),
    ),
    docTypes: described(z.array(z.string()), 'The types of credentials for which it is trusted. Absent for a RICAL.', [
      'org.iso.18013.5.1.mDL',
    ]).optional(),
    services: z
      .array(LoteServiceSchema)
      .optional()
      .describe('The services of a list of trusted entities for which it is listed. Absent for other lists.'),
  }),
)

export const integratedCertificatesRoute = defineRoute({
  operation: 'retrieveIntegratedCertificates',
  summary:
    'List the certificates of the last valid external lists. The certificates of a RICAL are of readers, and are never accepted as issuers.',
  tag: 'Ecosystems',
  method: 'GET',
  path: '/v1/ecosystems/:ecosystemId/integrations/certificates',
  access: readerAccess,
  event: 'ECOSYSTEM_INTEGRATION_CERTIFICATE_RETRIEVE_LIST',
  params: EcosystemParams,
  query: CertificatesQuery,
  status: 200,
  response: pageOf(IntegratedCertificateView),
  problems: ['bad_request', 'not_found'],
  async handle({ tenantId, params: { ecosystemId }, query: { limit, cursor, format, integration }, caller, deps }) {
    const db = deps.db.read
    await getEcosystem(db, tenantId, ecosystemId)
    const integrations = new Map<string, IntegrationRow>()
    for (const each of await findIntegrations(db, tenantId, [ecosystemId])) {
      const isSelected =
        (!format || each.format === format) && (integration === undefined || each.position === integration)
      if (isSelected) integrations.set(each.id, each)
    }
    const rows = await listIntegratedCertificates(db, tenantId, [...integrations.keys()], limit, cursor)
    const data = rows.slice(0, limit).flatMap((row) => {
      const integration = integrations.get(row.integrationId)
      return integration ? [present(row, integration, caller)] : []
    })
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { data, ...(last && { nextCursor: writeCursorText([last.integrationId, last.fingerprint]) }) }
  },
})

function present(row: IntegratedCertificateRow, { format, url }: IntegrationRow, caller: Caller) {
  const { certificate, fingerprint, notBefore, notAfter, docTypes, services } = row
  return {
    format,
    url: listUrlFor(caller, url),
    certificatePem: pemOfDer(certificate),
    certificateFingerprint: fingerprint,
    certificateData: {
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      ...readableSubject(certificate),
    },
    ...(format !== 'RICAL' && { docTypes }),
    ...(services && { services }),
  }
}

/**
 * Reads the subject. Lists contain certificates that OpenSSL accepts and a strict ASN.1 parser refuses. They have no subject
 * here.
 */
function readableSubject(der: Buffer) {
  try {
    return subjectIn(rawCertificate(der).subject)
  } catch {
    return {}
  }
}
