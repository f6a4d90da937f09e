import { z } from 'zod'
import { described, EpochMilliseconds, idOf, Name, named, Uuid, withoutExample } from '../../http/fields.ts'
import { Did, exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { exampleCredential } from '../stored/present.ts'

/** The URL of a context, or an inline context. */
const Contexts = z.union([
  z.string().min(1).max(2000),
  z
    .array(z.union([z.string().min(1).max(2000), z.record(z.string(), z.unknown())]))
    .min(1)
    .max(20),
])

const Types = z.union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1).max(20)])

/** Other members of an example are stored too. Wallets compare all members (Verifiable Presentation Request, section 3.2). */
const Example = z.looseObject({
  '@context': described(Contexts, 'Its JSON-LD contexts', ['https://www.w3.org/2018/credentials/v1']),
  type: described(Types, 'Its types', ['CourseCertificate']),
  credentialSubject: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('The claims that the credential must have'),
  trustedIssuer: z
    .array(
      z.object({
        issuer: withoutExample(Did).describe('The DID of an issuer'),
        required: z.boolean().default(true).describe('Whether the credential must be from this issuer'),
      }),
    )
    .max(100)
    .exactOptional()
    .describe('The accepted issuers, at most 100'),
})

const CredentialQuery = z.object({
  required: z.boolean().exactOptional().describe('Whether the holder must present this credential'),
  reason: described(
    z.string().max(1000),
    'The reason that the wallet shows to the holder',
    'To enter the library',
  ).exactOptional(),
  example: Example.describe('An example of the credential'),
})

const Query = z.discriminatedUnion(
  'type',
  [
    named(
      'QueryByExample',
      'Requests credentials that match an example',
      z.object({
        type: z.literal('QueryByExample').describe('Request by example'),
        credentialQuery: z.array(CredentialQuery).min(1).max(20).describe('The requested credentials, at most 20'),
      }),
    ),
    named(
      'DidAuthentication',
      'Requests only a proof of the DID of the holder',
      z.object({ type: z.literal('DIDAuth').describe('Request for DID authentication') }),
    ),
  ],
  { error: 'Must be QueryByExample or DIDAuth' },
)

const exampleDomain = 'library.example.org'
const domainDescription = 'The domain of the verifier. Wallets show it, and the proof contains it.'
const nameDescription = 'The display name of the template'
const exampleName = 'Library entrance'

export const TemplateBody = z.object({
  domain: described(
    z
      .string()
      .regex(
        /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/,
        'Must be a domain without a scheme or a path',
      ),
    domainDescription,
    exampleDomain,
  ),
  name: described(Name, nameDescription, exampleName),
  query: z.array(Query).min(1).max(10).describe('The queries of the request, at most 10'),
})

const templateId = idOf('template')

export const TemplateUpdate = TemplateBody.extend({
  id: Uuid.exactOptional().describe('Must be the id in the path, if it is given'),
})

const QueryView = described(
  z.array(
    named(
      'PresentationQuery',
      'A query of the template, as it was created',
      z.looseObject({ type: z.string().describe('`QueryByExample` or `DIDAuth`') }),
    ),
  ),
  'The queries of the request',
  [
    {
      type: 'QueryByExample',
      credentialQuery: [
        {
          reason: 'To enter the library',
          example: { '@context': ['https://www.w3.org/2018/credentials/v1'], type: ['CourseCertificate'] },
        },
      ],
    },
  ],
)

export const TemplateView = z.object({
  id: templateId,
  domain: described(z.string(), domainDescription, exampleDomain),
  name: described(z.string(), nameDescription, exampleName),
  query: QueryView,
})

const challenge = z.string().min(1).max(1000)
const exampleChallenge = 'wKI4LT17ac15ES9bw8ac4'
const exampleCallback = 'https://library.example.org/presentations'

export const NewRequest = z.object({
  challenge: described(challenge, 'A new value for each request. The presentation must contain it.', exampleChallenge),
  templateId: templateId.describe('The template of the request'),
  did: described(Did, 'The sender of the request: a DID of this tenant with an Ed25519 key', exampleKeyDid),
  callbackUrl: described(
    z.string().max(2000),
    'The address to which the wallet sends the presentation',
    exampleCallback,
  ),
  expiresTime: z
    .int()
    .exactOptional()
    .describe('When the request expires, in milliseconds since 1970. Default: in five minutes.'),
})

/** A JSON Web Message for wallets of the reference platform. Its times are milliseconds. */
export const RequestView = z.object({
  id: idOf('presentation request'),
  callbackUrl: described(z.string(), 'The address to which the wallet sends the presentation', exampleCallback),
  request: z
    .object({
      id: idOf('presentation request'),
      type: described(
        z.string(),
        'The type of the message',
        'https://mattr.global/schemas/verifiable-presentation/request/QueryByExample',
      ),
      from: described(z.string(), 'The DID of the sender', exampleKeyDid),
      created_time: EpochMilliseconds.describe('When it was created, in milliseconds since 1970'),
      expires_time: described(z.int(), 'When the request expires, in milliseconds since 1970', 1_795_340_100_000),
      reply_url: described(z.string(), 'The address to which the wallet sends the presentation', exampleCallback),
      reply_to: described(z.array(z.string()), 'The DIDs that receive the presentation', [exampleKeyDid]),
      body: z
        .object({
          challenge: described(z.string(), 'The presentation must contain it', exampleChallenge),
          id: templateId.describe('The template'),
          domain: described(z.string(), domainDescription, exampleDomain),
          name: described(z.string(), nameDescription, exampleName),
          query: QueryView,
        })
        .describe('The content of the request'),
    })
    .describe('The message to the wallet'),
  didcommUri: described(
    z.string(),
    'The signed request, for a QR code or a link',
    'didcomm://https://university.trustwright.example/?request=eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
  ),
})

export const PresentationToVerify = z.object({
  presentation: z.record(z.string(), z.unknown(), 'Must be a presentation').meta({
    description: 'The presentation with its proof',
    examples: [
      {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        holder: exampleKeyDid,
        verifiableCredential: [exampleCredential],
        proof: {
          type: 'Ed25519Signature2018',
          created: '2026-11-22T09:30:00Z',
          proofPurpose: 'authentication',
          challenge: exampleChallenge,
          domain: exampleDomain,
          verificationMethod: `${exampleKeyDid}#${exampleKeyDid.slice('did:key:'.length)}`,
          jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl',
        },
      },
    ],
  }),
  challenge: described(challenge, 'The challenge of the request', exampleChallenge),
  domain: described(z.string().min(1).max(1000), 'The domain of the template', exampleDomain),
})

export const PresentationVerification = named(
  'PresentationVerification',
  'The result of the verification of a presentation',
  z.object({
    verified: described(z.boolean(), 'Whether all checks passed', true),
    reason: z
      .object({
        type: z.string().describe('The first check that failed, as a code'),
        message: z.string().describe('Why the check failed, as a text'),
        credential: z.int().optional().describe('The index of the credential that failed, from 0'),
      })
      .optional()
      .describe('Absent if the presentation is verified'),
  }),
)
