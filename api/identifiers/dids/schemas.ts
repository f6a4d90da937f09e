import { z } from 'zod'
import { described, EpochMilliseconds, exampleDid, exampleId, exampleKid, named } from '../../http/fields.ts'
import { KeyProviderName } from '../../tenancy/tenants/key-provider.ts'
import { isPublicDomain } from './domain.ts'

/** A DID without path, query or fragment (DID core, section 3.1). */
export const Did = z
  .string()
  .max(400)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/, 'Must be a DID')
  .meta({ examples: [exampleDid] })

const NewDidKey = z.object({
  method: z.literal('key').describe('The DID contains the public key. Nothing has to be published.'),
  options: z
    .object({
      keyType: described(z.enum(['Ed25519', 'Bls12381G2']).default('Ed25519'), 'The curve of the key', 'Ed25519'),
    })
    .default({ keyType: 'Ed25519' })
    .describe('The options of the method'),
})

const NewDidWeb = z.object({
  method: z.literal('web').describe('The DID is a domain that publishes the DID document'),
  options: z
    .object({
      url: described(
        z
          .string()
          .max(259)
          .transform((domain) => domain.toLowerCase())
          .refine(isPublicDomain, 'Must be a domain without a scheme or a path'),
        'The domain. You publish the document at its `/.well-known/did.json`.',
        'campus.example.org',
      ),
    })
    .describe('The options of the method'),
})

export const NewDid = z.discriminatedUnion('method', [
  named('NewKeyDid', 'A `did:key`', NewDidKey),
  named('NewWebDid', 'A `did:web`', NewDidWeb),
])

export const exampleKeyDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

const exampleSigningKey = `${exampleKeyDid}#${exampleKeyDid.slice('did:key:'.length)}`
export const exampleAgreementKey = `${exampleKeyDid}#z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc`

export const DidDocumentSchema = named(
  'DidDocument',
  'A DID document (DID core, section 5)',
  z.looseObject({ id: z.string().describe('The DID') }).meta({
    examples: [
      {
        '@context': [
          'https://www.w3.org/ns/did/v1',
          'https://w3id.org/security/suites/ed25519-2018/v1',
          'https://w3id.org/security/suites/x25519-2019/v1',
        ],
        id: exampleKeyDid,
        verificationMethod: [
          {
            id: exampleSigningKey,
            type: 'Ed25519VerificationKey2018',
            controller: exampleKeyDid,
            publicKeyBase58: '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS',
          },
          {
            id: exampleAgreementKey,
            type: 'X25519KeyAgreementKey2019',
            controller: exampleKeyDid,
            publicKeyBase58: 'Bbc93krKqC4RnWM317Dec2MCudDRJ3PGJCkvU5RBvoRi',
          },
        ],
        authentication: [exampleSigningKey],
        assertionMethod: [exampleSigningKey],
        capabilityDelegation: [exampleSigningKey],
        capabilityInvocation: [exampleSigningKey],
        keyAgreement: [exampleAgreementKey],
      },
    ],
  }),
)

export const DidView = z.object({
  did: described(z.string(), 'The DID', exampleKeyDid),
  registrationStatus: z.literal('COMPLETED').describe('Its keys and its document are created'),
  localMetadata: z
    .object({
      keys: z
        .array(
          z.object({
            didDocumentKeyId: described(z.string(), 'The DID URL of a key of the document', exampleSigningKey),
            kmsKeyId: described(z.string(), 'The id of the key in this service', exampleId('key of a DID')),
            provider: KeyProviderName.optional().describe('Where the private key is'),
          }),
        )
        .describe('Its keys. This service stores the private keys.'),
      registered: EpochMilliseconds.describe('When it was created, in milliseconds since 1970'),
      initialDidDocument: DidDocumentSchema.describe(
        'The document as it was created. The domain of a `did:web` must publish it.',
      ),
    })
    .describe('The data of the DID in this service'),
})

const DomainLinkageCredential = named(
  'DomainLinkageCredential',
  "Links the tenant's DID and its host (Well Known DID Configuration, section 4.1)",
  z.looseObject({
    '@context': described(z.array(z.string()), 'Its JSON-LD contexts', [
      'https://www.w3.org/2018/credentials/v1',
      'https://identity.foundation/.well-known/did-configuration/v1',
    ]),
    type: described(z.array(z.string()), 'The types of the credential', [
      'VerifiableCredential',
      'DomainLinkageCredential',
    ]),
    issuer: described(z.string(), 'The DID', exampleDid),
    issuanceDate: described(z.string(), 'The start of its validity', '2026-11-22T09:30:00Z'),
    expirationDate: described(z.string(), 'The end of its validity', '2027-11-22T09:30:00Z'),
    credentialSubject: z
      .object({
        id: described(z.string(), 'The DID', exampleDid),
        origin: described(z.string(), 'The host with its scheme', 'https://university.trustwright.example'),
      })
      .describe('The DID and the host that it links'),
    proof: z.looseObject({ type: z.string().describe('The type of the proof') }).meta({
      description: 'The signature of the DID',
      examples: [
        {
          type: 'Ed25519Signature2018',
          created: '2026-11-22T09:30:00Z',
          verificationMethod: `${exampleDid}#${exampleKid}`,
          proofPurpose: 'assertionMethod',
          jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl',
        },
      ],
    }),
  }),
)

export const DidConfigurationEntries = z.object({
  entries: z.array(DomainLinkageCredential).describe("One entry, for the tenant's DID"),
})

export const DidConfiguration = z.object({
  '@context': described(
    z.string(),
    'The JSON-LD context',
    'https://identity.foundation/.well-known/did-configuration/v1',
  ),
  linked_dids: z.array(DomainLinkageCredential).describe("One entry, for the tenant's DID"),
})
