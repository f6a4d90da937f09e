import { z } from 'zod'
import { fingerprintOf } from '../../../shared/formats/certificate.ts'
import { splitDidUrl } from '../../../shared/formats/did.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { PemCertificate, Timestamp, Uuid } from '../../http/fields.ts'
import { CredentialType, Profile } from '../credential-types/schemas.ts'
import { EcosystemName } from '../ecosystems/schemas.ts'

/** Indices hold it whole. */
const Did = z.string().max(1_000).refine(isDid, 'Must be a DID, such as did:web:example.com')

function isDid(text: string): boolean {
  try {
    return splitDidUrl(text).did === text
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

const Status = z.enum(['Active', 'Inactive'])

const MobileIdentifiers = z
  .array(z.object({ certificatePem: PemCertificate, status: Status.default('Active') }))
  .max(50)
  .superRefine((identifiers, ctx) => {
    const fingerprints = identifiers.map(({ certificatePem }) => fingerprintOf(certificatePem))
    for (const [at, fingerprint] of fingerprints.entries()) {
      if (fingerprint === undefined || fingerprints.indexOf(fingerprint) === at) continue
      ctx.addIssue({ code: 'custom', message: 'Must not name a certificate twice', path: [at, 'certificatePem'] })
    }
  })

const Identifiers = z.object({
  'web-semantic': Did.optional(),
  'compact-semantic': Did.optional(),
  compact: Did.optional(),
  mobile: MobileIdentifiers.optional().describe('Certificates of its authorities'),
})

const Contact = z.object({
  phoneNumber: z.string().trim().min(1).max(50).optional(),
  address: z.string().trim().min(1).max(500).optional(),
})

const Constrained = z
  .boolean()
  .default(true)
  .describe('Whether for the types alone that are assigned to it; else for all of the ecosystem')

export const NewParticipant = z.object({
  name: EcosystemName,
  identifiers: Identifiers.default({}),
  isIssuer: z.boolean().default(false),
  isVerifier: z.boolean().default(false),
  isIssuerConstrained: Constrained,
  isVerifierConstrained: Constrained,
  status: Status.default('Active'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)')
    .optional(),
  stateOrProvince: z.string().trim().min(1).max(128).optional(),
  contacts: z.array(Contact).max(20).default([]),
})

export const ParticipantView = z.object({
  id: z.string(),
  ecosystemId: z.string(),
  name: z.string(),
  identifiers: z.object({
    'web-semantic': z.string().optional(),
    'compact-semantic': z.string().optional(),
    compact: z.string().optional(),
    mobile: z.array(z.object({ certificatePem: z.string(), status: Status })).optional(),
  }),
  isIssuer: z.boolean(),
  isVerifier: z.boolean(),
  isIssuerConstrained: z.boolean(),
  isVerifierConstrained: z.boolean(),
  status: Status,
  country: z.string().optional(),
  stateOrProvince: z.string().optional(),
  contacts: z.array(z.object({ phoneNumber: z.string().optional(), address: z.string().optional() })),
})

export const Assignment = z.object({ credentialId: Uuid.describe('Of a type of the ecosystem') })

export const ValidationRequest = z.object({
  profile: Profile,
  identifier: z
    .string()
    .min(1)
    .max(20_000)
    .describe('A DID; for mobile credentials a certificate in PEM, or its SHA-256 fingerprint in hex'),
  type: CredentialType,
})

export const ValidationView = z.object({
  validated: z.boolean(),
  policyVersion: Timestamp.optional().describe('When the ecosystem that says so was changed last'),
  identifier: z.string().describe('As it was asked'),
})
