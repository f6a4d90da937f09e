import { z } from 'zod'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, exampleCertificate, idOf, named, PemCertificate, Timestamp } from '../../http/fields.ts'
import { CredentialType } from '../credential-types/schemas.ts'

const DocTypes = z
  .array(CredentialType)
  .min(1)
  .max(100)
  .refine((types) => new Set(types).size === types.length, 'Must not contain a type twice')
  .nullable()
  .describe('The assigned types of mobile credentials for which it is used. Null for all assigned types.')

const activeDescription = 'Whether validation accepts it and trusted lists contain it'

export const NewParticipantCertificate = z.object({
  certificatePem: PemCertificate.describe('The certificate of the authority, in PEM'),
  docTypes: DocTypes.default(null),
  active: z.boolean().default(true).describe(activeDescription),
})

export const ParticipantCertificateUpdate = z.object({
  docTypes: DocTypes.default(null),
  active: described(z.boolean().default(true), activeDescription, true),
})

const ParticipantCertificateData = named(
  'ParticipantCertificateData',
  'The fields of the certificate',
  z.object({
    notBefore: described(Timestamp, 'The start of its validity', '2026-01-01T00:00:00.000Z'),
    notAfter: described(Timestamp, 'The end of its validity', '2045-12-31T23:59:59.000Z'),
    country: described(z.string(), 'The country of its subject', 'NZ').optional(),
    stateOrProvinceName: z.string().optional().describe('The state or province of its subject'),
    organisationName: z.string().optional().describe('The organisation of its subject'),
    commonName: described(z.string(), 'The common name of its subject', 'Transport Agency IACA').optional(),
  }),
)

export const participantCertificateView = (role: ParticipantRole) =>
  z.object({
    id: idOf(`${role} certificate`),
    certificatePem: described(z.string(), 'The certificate in PEM', exampleCertificate),
    certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
    certificateData: ParticipantCertificateData,
    docTypes: z
      .array(z.string())
      .optional()
      .describe('The types of mobile credentials for which it is used. Absent: all assigned types.'),
    active: described(z.boolean(), activeDescription, true),
  })
