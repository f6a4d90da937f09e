import { z } from 'zod'
import { described, EpochMilliseconds, idOf, Name, named, Uuid, unexampled } from '../../http/fields.ts'
import { Did, exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { exampleCredential } from '../stored/present.ts'

/** A context by its URL, or one that stands in place. */
const Contexts = z.union([
  z.string().min(1).max(2000),
  z
    .array(z.union([z.string().min(1).max(2000), z.record(z.string(), z.unknown())]))
    .min(1)
    .max(20),
])

const Types = z.union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).min(1).max(20)])

/** What else an example says is kept: wallets compare with all of it (Verifiable Presentation Request, section 3.2). */
const Example = z.looseObject({
  '@context': described(Contexts, 'Its JSON-LD contexts', ['https://www.w3.org/2018/credentials/v1']),
  type: described(Types, 'Its types', ['CourseCertificate']),
  credentialSubject: z.record(z.string(), z.unknown()).exactOptional().describe('What it is to say'),
  trustedIssuer: z
    .array(
      z.object({
        issuer: unexampled(Did).describe('The DID of an issuer'),
        required: z.boolean().default(true).describe('It has to be this one'),
      }),
    )
    .max(100)
    .exactOptional()
    .describe('Whose credentials count; at most 100'),
})

const CredentialQuery = z.object({
  required: z.boolean().exactOptional().describe('Whether the holder has to show one'),
  reason: described(z.string().max(1000), 'What the holder is told', 'To enter the library').exactOptional(),
  example: Example.describe('What the credential is to look like'),
})

const Query = z.discriminatedUnion(
  'type',
  [
    named(
      'QueryByExample',
      'Credentials that look like an example',
      z.object({
        type: z.literal('QueryByExample').describe('By an example'),
        credentialQuery: z.array(CredentialQuery).min(1).max(20).describe('Each asks for a credential; at most 20'),
      }),
    ),
    named(
      'DidAuthentication',
      'Nothing but the proof of who the holder is',
      z.object({ type: z.literal('DIDAuth').describe('By the DID of the holder') }),
    ),
  ],
  { error: 'Must be QueryByExample or DIDAuth' },
)

const exampleDomain = 'library.example.org'
const domainWords = 'For which the holder proves; wallets show it, and the proof names it'
const nameWords = 'What people call it'
const exampleName = 'Library entrance'

export const TemplateBody = z.object({
  domain: described(
    z
      .string()
      .regex(
        /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/,
        'Must be a domain, without a scheme or a path',
      ),
    domainWords,
    exampleDomain,
  ),
  name: described(Name, nameWords, exampleName),
  query: z.array(Query).min(1).max(10).describe('What is asked for; at most 10'),
})

const templateId = idOf('template')

export const TemplateUpdate = TemplateBody.extend({
  id: Uuid.exactOptional().describe('As in the path, where it is given'),
})

const QueryView = described(
  z.array(
    named(
      'PresentationQuery',
      'What is asked for, as it was given',
      z.looseObject({ type: z.string().describe('`QueryByExample` or `DIDAuth`') }),
    ),
  ),
  'What is asked for',
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
  domain: described(z.string(), domainWords, exampleDomain),
  name: described(z.string(), nameWords, exampleName),
  query: QueryView,
})

const challenge = z.string().min(1).max(1000)
const exampleChallenge = 'wKI4LT17ac15ES9bw8ac4'
const exampleCallback = 'https://library.example.org/presentations'

export const NewRequest = z.object({
  challenge: described(challenge, 'New for each request; the presentation repeats it', exampleChallenge),
  templateId: templateId.describe('What is asked for'),
  did: described(Did, 'Who asks: a DID of this tenant with a key of Ed25519', exampleKeyDid),
  callbackUrl: described(z.string().max(2000), 'Where the wallet sends the presentation to', exampleCallback),
  expiresTime: z
    .int()
    .exactOptional()
    .describe('Until when it can be answered, in milliseconds since 1970; in five minutes where it is left out'),
})

/** A JSON Web Message, as the reference platform's wallets read it: its times are milliseconds. */
export const RequestView = z.object({
  id: idOf('presentation request'),
  callbackUrl: described(z.string(), 'Where the wallet sends the presentation to', exampleCallback),
  request: z
    .object({
      id: idOf('presentation request'),
      type: described(
        z.string(),
        'What the message is',
        'https://mattr.global/schemas/verifiable-presentation/request/QueryByExample',
      ),
      from: described(z.string(), 'Who asks', exampleKeyDid),
      created_time: EpochMilliseconds.describe('When it was made, in milliseconds since 1970'),
      expires_time: described(z.int(), 'Until when it can be answered, in milliseconds since 1970', 1_795_340_100_000),
      reply_url: described(z.string(), 'Where the wallet sends the presentation to', exampleCallback),
      reply_to: described(z.array(z.string()), 'Whom it answers', [exampleKeyDid]),
      body: z
        .object({
          challenge: described(z.string(), 'The presentation repeats it', exampleChallenge),
          id: templateId.describe('The template'),
          domain: described(z.string(), domainWords, exampleDomain),
          name: described(z.string(), nameWords, exampleName),
          query: QueryView,
        })
        .describe('What is asked for'),
    })
    .describe('The message to the wallet'),
  didcommUri: described(
    z.string(),
    'The request, signed: for a QR code or a link',
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
  challenge: described(challenge, 'Of the request', exampleChallenge),
  domain: described(z.string().min(1).max(1000), 'Of the template', exampleDomain),
})

export const PresentationVerification = named(
  'PresentationVerification',
  'What a presentation was found to be',
  z.object({
    verified: described(z.boolean(), 'Whether all checks were good', true),
    reason: z
      .object({
        type: z.string().describe('Which check failed first, as a word for programs'),
        message: z.string().describe('What was wrong, for people'),
        credential: z.int().optional().describe('Which of the credentials it is, from 0'),
      })
      .optional()
      .describe('Absent where it is verified'),
  }),
)
