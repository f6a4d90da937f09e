import { z } from 'zod'
import { fingerprintOf } from '../../../shared/formats/certificate.ts'
import { splitDidUrl } from '../../../shared/formats/did.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { CountryCode, described, idOf, named, PemCertificate, Timestamp } from '../../http/fields.ts'
import { CredentialType, EcosystemProfile, exampleType } from '../credential-types/schemas.ts'
import { EcosystemName } from '../ecosystems/schemas.ts'

/** A DID has at most 1,000 characters, so that it fits into an index entry. */
const Did = z.string().max(1_000).refine(isDid, 'Must be a DID, for example did:web:example.com')

function isDid(text: string): boolean {
  try {
    return splitDidUrl(text).did === text
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

const Status = named(
  'ParticipantStatus',
  'Whether validation, policies and lists include it',
  z.enum(['Active', 'Inactive']),
)

const MobileIdentifiers = z
  .array(
    named(
      'NewMobileIdentifier',
      'A certificate of an authority of the participant',
      z.object({
        certificatePem: PemCertificate.describe('The certificate of the authority, in PEM'),
        status: Status.default('Active'),
      }),
    ),
  )
  .max(50)
  .superRefine((identifiers, ctx) => {
    const fingerprints = identifiers.map(({ certificatePem }) => fingerprintOf(certificatePem))
    for (const [index, fingerprint] of fingerprints.entries()) {
      if (fingerprint === undefined || fingerprints.indexOf(fingerprint) === index) continue
      ctx.addIssue({ code: 'custom', message: 'Must not contain a certificate twice', path: [index, 'certificatePem'] })
    }
  })

const identifierDescriptions = {
  'web-semantic': 'The DID in its web semantic credentials',
  'compact-semantic': 'The DID in its compact semantic credentials',
  compact: 'The DID in its compact credentials',
  mobile: 'The certificates of its authorities',
}

const Identifiers = named(
  'NewIdentifiers',
  'The identifiers of the participant by profile',
  z.object({
    'web-semantic': described(Did, identifierDescriptions['web-semantic'], 'did:web:transport.example').optional(),
    'compact-semantic': Did.optional().describe(identifierDescriptions['compact-semantic']),
    compact: Did.optional().describe(identifierDescriptions.compact),
    mobile: MobileIdentifiers.optional().meta({
      description: `${identifierDescriptions.mobile}, at most 50`,
      examples: [],
    }),
  }),
)

const phoneDescription = 'A phone number'
const addressDescription = 'A postal address'

const Contact = z.object({
  phoneNumber: described(z.string().trim().min(1).max(50), phoneDescription, '+64 4 555 0100').optional(),
  address: described(z.string().trim().min(1).max(500), addressDescription, '1 Harbour Street, Wellington').optional(),
})

const descriptions = {
  name: 'The display name, 1 to 50 characters',
  isIssuer: 'Whether it issues credentials',
  isVerifier: 'Whether it verifies credentials',
  isIssuerConstrained:
    'Whether it may issue only its assigned types. Otherwise it may issue all types of the ecosystem.',
  isVerifierConstrained:
    'Whether it may verify only its assigned types. Otherwise it may verify all types of the ecosystem.',
  country: 'Two upper-case letters (ISO 3166-1)',
  stateOrProvince: 'The state or province',
  contacts: 'The contacts of the participant',
}
const exampleName = 'Transport Agency'

export const NewParticipant = z.object({
  name: described(EcosystemName, descriptions.name, exampleName),
  identifiers: Identifiers.default({}),
  isIssuer: described(z.boolean().default(false), descriptions.isIssuer, true),
  isVerifier: described(z.boolean().default(false), descriptions.isVerifier, true),
  isIssuerConstrained: z.boolean().default(true).describe(descriptions.isIssuerConstrained),
  isVerifierConstrained: z.boolean().default(true).describe(descriptions.isVerifierConstrained),
  status: Status.default('Active'),
  country: CountryCode.meta({ description: descriptions.country, examples: ['NZ'] }).optional(),
  stateOrProvince: z.string().trim().min(1).max(128).optional().describe(descriptions.stateOrProvince),
  contacts: z.array(Contact).max(20).default([]).describe(`${descriptions.contacts}, at most 20`),
})

export const ParticipantView = z.object({
  id: idOf('participant'),
  ecosystemId: idOf('ecosystem').describe('The ecosystem of the participant'),
  name: described(z.string(), descriptions.name, exampleName),
  identifiers: named(
    'Identifiers',
    'The identifiers of the participant by profile',
    z.object({
      'web-semantic': described(
        z.string(),
        identifierDescriptions['web-semantic'],
        'did:web:transport.example',
      ).optional(),
      'compact-semantic': z.string().optional().describe(identifierDescriptions['compact-semantic']),
      compact: z.string().optional().describe(identifierDescriptions.compact),
      mobile: z
        .array(
          named(
            'MobileIdentifier',
            'A certificate of an authority of the participant',
            z.object({ certificatePem: z.string().describe('The certificate in PEM'), status: Status }),
          ),
        )
        .optional()
        .describe(identifierDescriptions.mobile),
    }),
  ),
  isIssuer: described(z.boolean(), descriptions.isIssuer, true),
  isVerifier: described(z.boolean(), descriptions.isVerifier, true),
  isIssuerConstrained: described(z.boolean(), descriptions.isIssuerConstrained, true),
  isVerifierConstrained: described(z.boolean(), descriptions.isVerifierConstrained, true),
  status: Status,
  country: described(z.string(), descriptions.country, 'NZ').optional(),
  stateOrProvince: z.string().optional().describe(descriptions.stateOrProvince),
  contacts: z
    .array(
      z.object({
        phoneNumber: described(z.string(), phoneDescription, '+64 4 555 0100').optional(),
        address: described(z.string(), addressDescription, '1 Harbour Street, Wellington').optional(),
      }),
    )
    .describe(`${descriptions.contacts}. Empty for callers that are only viewers.`),
})

export const Assignment = z.object({
  credentialId: idOf('credential type').describe('A credential type of the ecosystem'),
})

export const ValidationRequest = named(
  'ValidationRequest',
  'The identifier and the credential type to validate',
  z.object({
    profile: EcosystemProfile,
    identifier: described(
      z.string().min(1).max(20_000),
      'A DID. For mobile credentials and SD-JWT VCs, a certificate in PEM or its SHA-256 fingerprint in hex.',
      exampleFingerprint,
    ),
    type: described(
      CredentialType,
      'The type of the credential. For mobile credentials, it is the document type. For SD-JWT VCs, it is `vct`.',
      exampleType,
    ),
  }),
)

export const ValidationView = named(
  'Validation',
  'The result of a validation',
  z.object({
    validated: described(z.boolean(), 'Whether a participant with this identifier may issue or verify the type', true),
    policyVersion: Timestamp.optional().describe('When the ecosystem that allows it was last changed'),
    identifier: described(z.string(), 'The identifier of the request', exampleFingerprint),
  }),
)
