import { z } from 'zod'
import { PemCertificate, Timestamp } from '../../http/fields.ts'
import { CredentialType } from '../credential-types/schemas.ts'

const DocTypes = z
  .array(CredentialType)
  .min(1)
  .max(100)
  .refine((types) => new Set(types).size === types.length, 'Must not name a type twice')
  .nullable()
  .describe('The types of mobile credentials that it is for, of those that are assigned; null for all of these')

export const NewParticipantCertificate = z.object({
  certificatePem: PemCertificate.describe('The certificate of an authority, in PEM'),
  docTypes: DocTypes.default(null),
  active: z.boolean().default(true),
})

export const ParticipantCertificateUpdate = z.object({
  docTypes: DocTypes.optional().describe('Absent: as they are'),
  active: z.boolean().optional().describe('Absent: as it is'),
})

export const ParticipantCertificateView = z.object({
  id: z.string(),
  certificatePem: z.string(),
  certificateFingerprint: z.string().describe('SHA-256 of the certificate, hexadecimal'),
  certificateData: z.object({
    notBefore: Timestamp,
    notAfter: Timestamp,
    country: z.string().optional(),
    stateOrProvinceName: z.string().optional(),
    organisationName: z.string().optional(),
    commonName: z.string().optional(),
  }),
  docTypes: z.array(z.string()).optional().describe('Absent: all that are assigned'),
  active: z.boolean(),
})
