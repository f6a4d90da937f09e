import { z } from 'zod'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, exampleCertificate, idOf, named, PemCertificate, Timestamp } from '../../http/fields.ts'
import { CredentialType } from '../credential-types/schemas.ts'

const DocTypes = z
  .array(CredentialType)
  .min(1)
  .max(100)
  .refine((types) => new Set(types).size === types.length, 'Must not name a type twice')
  .nullable()
  .describe('The types of mobile credentials that it is for, of those that are assigned; null for all of these')

const activeWords = 'Whether it counts, and is on trusted lists'

export const NewParticipantCertificate = z.object({
  certificatePem: PemCertificate.describe('The certificate of an authority, in PEM'),
  docTypes: DocTypes.default(null),
  active: z.boolean().default(true).describe(activeWords),
})

export const ParticipantCertificateUpdate = z.object({
  docTypes: DocTypes.default(null),
  active: described(z.boolean().default(true), activeWords, true),
})

const ParticipantCertificateData = named(
  'ParticipantCertificateData',
  'What the certificate says of itself',
  z.object({
    notBefore: described(Timestamp, 'From when it is valid', '2026-01-01T00:00:00.000Z'),
    notAfter: described(Timestamp, 'Until when it is valid', '2045-12-31T23:59:59.000Z'),
    country: described(z.string(), 'Of its subject', 'NZ').optional(),
    stateOrProvinceName: z.string().optional().describe('Of its subject'),
    organisationName: z.string().optional().describe('Of its subject'),
    commonName: described(z.string(), 'What its subject is called', 'Transport Agency IACA').optional(),
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
      .describe('The types of mobile credentials that it is for; absent: all that are assigned'),
    active: described(z.boolean(), activeWords, true),
  })
