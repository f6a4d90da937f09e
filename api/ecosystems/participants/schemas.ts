import { z } from 'zod'
import { fingerprintOf } from '../../../shared/formats/certificate.ts'
import { splitDidUrl } from '../../../shared/formats/did.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, idOf, named, PemCertificate, Timestamp } from '../../http/fields.ts'
import { CredentialType, EcosystemProfile, exampleType } from '../credential-types/schemas.ts'
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

const Status = named('ParticipantStatus', 'Whether it counts', z.enum(['Active', 'Inactive']))

const MobileIdentifiers = z
  .array(
    named(
      'NewMobileIdentifier',
      'A certificate of an authority of the participant',
      z.object({
        certificatePem: PemCertificate.describe('The certificate of an authority, in PEM'),
        status: Status.default('Active'),
      }),
    ),
  )
  .max(50)
  .superRefine((identifiers, ctx) => {
    const fingerprints = identifiers.map(({ certificatePem }) => fingerprintOf(certificatePem))
    for (const [at, fingerprint] of fingerprints.entries()) {
      if (fingerprint === undefined || fingerprints.indexOf(fingerprint) === at) continue
      ctx.addIssue({ code: 'custom', message: 'Must not name a certificate twice', path: [at, 'certificatePem'] })
    }
  })

const identifierWords = {
  'web-semantic': 'The DID that its web semantic credentials name',
  'compact-semantic': 'The DID that its compact semantic credentials name',
  compact: 'The DID that its compact credentials name',
  mobile: 'Certificates of its authorities',
}

const Identifiers = named(
  'NewIdentifiers',
  'How credentials and verifiers name the participant, by profile',
  z.object({
    'web-semantic': described(Did, identifierWords['web-semantic'], 'did:web:transport.example').optional(),
    'compact-semantic': Did.optional().describe(identifierWords['compact-semantic']),
    compact: Did.optional().describe(identifierWords.compact),
    mobile: MobileIdentifiers.optional().meta({ description: `${identifierWords.mobile}; at most 50`, examples: [] }),
  }),
)

const phoneWords = 'A telephone number'
const addressWords = 'A postal address'

const Contact = z.object({
  phoneNumber: described(z.string().trim().min(1).max(50), phoneWords, '+64 4 555 0100').optional(),
  address: described(z.string().trim().min(1).max(500), addressWords, '1 Harbour Street, Wellington').optional(),
})

const words = {
  name: 'What people call it, 1 to 50 characters',
  isIssuer: 'Whether it issues credentials',
  isVerifier: 'Whether it verifies credentials',
  isIssuerConstrained: 'Whether it issues the types alone that are assigned to it; else all of the ecosystem',
  isVerifierConstrained: 'Whether it verifies the types alone that are assigned to it; else all of the ecosystem',
  country: 'Two upper-case letters (ISO 3166-1)',
  stateOrProvince: 'A part of the country',
  contacts: 'How to reach it',
}
const exampleName = 'Transport Agency'

export const NewParticipant = z.object({
  name: described(EcosystemName, words.name, exampleName),
  identifiers: Identifiers.default({}),
  isIssuer: described(z.boolean().default(false), words.isIssuer, true),
  isVerifier: described(z.boolean().default(false), words.isVerifier, true),
  isIssuerConstrained: z.boolean().default(true).describe(words.isIssuerConstrained),
  isVerifierConstrained: z.boolean().default(true).describe(words.isVerifierConstrained),
  status: Status.default('Active'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)')
    .meta({ description: words.country, examples: ['NZ'] })
    .optional(),
  stateOrProvince: z.string().trim().min(1).max(128).optional().describe(words.stateOrProvince),
  contacts: z.array(Contact).max(20).default([]).describe(`${words.contacts}; at most 20`),
})

export const ParticipantView = z.object({
  id: idOf('participant'),
  ecosystemId: idOf('ecosystem').describe('The ecosystem that it is in'),
  name: described(z.string(), words.name, exampleName),
  identifiers: named(
    'Identifiers',
    'How credentials and verifiers name the participant, by profile',
    z.object({
      'web-semantic': described(z.string(), identifierWords['web-semantic'], 'did:web:transport.example').optional(),
      'compact-semantic': z.string().optional().describe(identifierWords['compact-semantic']),
      compact: z.string().optional().describe(identifierWords.compact),
      mobile: z
        .array(
          named(
            'MobileIdentifier',
            'A certificate of an authority of the participant',
            z.object({ certificatePem: z.string().describe('In PEM'), status: Status }),
          ),
        )
        .optional()
        .describe(identifierWords.mobile),
    }),
  ),
  isIssuer: described(z.boolean(), words.isIssuer, true),
  isVerifier: described(z.boolean(), words.isVerifier, true),
  isIssuerConstrained: described(z.boolean(), words.isIssuerConstrained, true),
  isVerifierConstrained: described(z.boolean(), words.isVerifierConstrained, true),
  status: Status,
  country: described(z.string(), words.country, 'NZ').optional(),
  stateOrProvince: z.string().optional().describe(words.stateOrProvince),
  contacts: z
    .array(
      z.object({
        phoneNumber: described(z.string(), phoneWords, '+64 4 555 0100').optional(),
        address: described(z.string(), addressWords, '1 Harbour Street, Wellington').optional(),
      }),
    )
    .describe(words.contacts),
})

export const Assignment = z.object({ credentialId: idOf('credential type').describe('A type of the ecosystem') })

export const ValidationRequest = named(
  'ValidationRequest',
  'Who is asked about, and for what',
  z.object({
    profile: EcosystemProfile,
    identifier: described(
      z.string().min(1).max(20_000),
      'A DID; for mobile credentials a certificate in PEM, or its SHA-256 fingerprint in hex',
      exampleFingerprint,
    ),
    type: described(CredentialType, 'The type of the credential: of mobile ones the document type', exampleType),
  }),
)

export const ValidationView = named(
  'Validation',
  'Whether somebody may issue or verify credentials of a type',
  z.object({
    validated: described(z.boolean(), 'Whether a participant with this identifier may do so', true),
    policyVersion: Timestamp.optional().describe('When the ecosystem that says so was changed last'),
    identifier: described(z.string(), 'As it was asked', exampleFingerprint),
  }),
)
