import { z } from 'zod'
import { described, EpochMilliseconds, exampleDid, exampleId, exampleKid, named } from '../../http/fields.ts'
import { isPublicDomain } from './domain.ts'

/** A DID as such, without path, query or fragment (DID core, section 3.1). */
export const Did = z
  .string()
  .max(400)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/, 'Must be a DID')
  .meta({ examples: [exampleDid] })

const NewDidKey = z.object({
  method: z.literal('key').describe('The public key is the DID, and nothing has to be published'),
  options: z
    .object({
      keyType: described(z.enum(['Ed25519', 'Bls12381G2']).default('Ed25519'), 'The curve of its key', 'Ed25519'),
    })
    .default({ keyType: 'Ed25519' })
    .describe('How it is made'),
})

const NewDidWeb = z.object({
  method: z.literal('web').describe('The DID is a domain, which publishes its document'),
  options: z
    .object({
      url: described(
        z
          .string()
          .max(259)
          .transform((domain) => domain.toLowerCase())
          .refine(isPublicDomain, 'Must be a domain, without a scheme or a path'),
        'The domain at whose `/.well-known/did.json` you publish the document',
        'campus.example.org',
      ),
    })
    .describe('How it is made'),
})

export const NewDid = z.discriminatedUnion('method', [
  named('NewKeyDid', 'A `did:key`', NewDidKey),
  named('NewWebDid', 'A `did:web`', NewDidWeb),
])

export const exampleKeyDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

const exampleSigningKey = `${exampleKeyDid}#${exampleKeyDid.slice('did:key:'.length)}`
/** Its key for key agreement. */
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
  registrationStatus: z.literal('COMPLETED').describe('Its keys and its document are made'),
  localMetadata: z
    .object({
      keys: z
        .array(
          z.object({
            didDocumentKeyId: described(z.string(), 'The DID URL of a key of the document', exampleSigningKey),
            kmsKeyId: described(z.string(), 'The id of the key here', exampleId('key of a DID')),
          }),
        )
        .describe('Its keys, whose private halves are here'),
      registered: EpochMilliseconds.describe('When it was made, in milliseconds since 1970'),
      initialDidDocument: DidDocumentSchema.describe(
        'The document as it was made; of a `did:web`, what its domain publishes',
      ),
    })
    .describe('What is known of it here'),
})

const DomainLinkageCredential = named(
  'DomainLinkageCredential',
  "Says that the tenant's DID and its host belong together (Well Known DID Configuration, section 4.1)",
  z.looseObject({
    '@context': described(z.array(z.string()), 'Its JSON-LD contexts', [
      'https://www.w3.org/2018/credentials/v1',
      'https://identity.foundation/.well-known/did-configuration/v1',
    ]),
    type: described(z.array(z.string()), 'What it is', ['VerifiableCredential', 'DomainLinkageCredential']),
    issuer: described(z.string(), 'The DID', exampleDid),
    issuanceDate: described(z.string(), 'From when it is good', '2026-11-22T09:30:00Z'),
    expirationDate: described(z.string(), 'Until when it is good', '2027-11-22T09:30:00Z'),
    credentialSubject: z
      .object({
        id: described(z.string(), 'The DID', exampleDid),
        origin: described(z.string(), 'The host, with its scheme', 'https://university.trustwright.example'),
      })
      .describe('What belongs together'),
    proof: z.looseObject({ type: z.string().describe('The kind of the proof') }).meta({
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
  entries: z.array(DomainLinkageCredential).describe('One for the DID of the tenant'),
})

export const DidConfiguration = z.object({
  '@context': described(
    z.string(),
    'The JSON-LD context',
    'https://identity.foundation/.well-known/did-configuration/v1',
  ),
  linked_dids: z.array(DomainLinkageCredential).describe('One for the DID of the tenant'),
})
