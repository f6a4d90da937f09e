import { z } from 'zod'
import { Name, Uuid } from '../../http/fields.ts'
import { Did } from '../../identifiers/dids/schemas.ts'

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
  '@context': Contexts,
  type: Types,
  credentialSubject: z.record(z.string(), z.unknown()).exactOptional(),
  trustedIssuer: z
    .array(z.object({ issuer: Did, required: z.boolean().default(true) }))
    .max(100)
    .exactOptional(),
})

const CredentialQuery = z.object({
  required: z.boolean().exactOptional(),
  reason: z.string().max(1000).exactOptional().describe('What the holder is told'),
  example: Example.describe('What the credential is to look like'),
})

const Query = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('QueryByExample'), credentialQuery: z.array(CredentialQuery).min(1).max(20) }),
    z.object({ type: z.literal('DIDAuth') }).describe('Nothing but the proof of who the holder is'),
  ],
  { error: 'Must be QueryByExample or DIDAuth' },
)

export const TemplateBody = z.object({
  domain: z
    .string()
    .regex(
      /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/,
      'Must be a domain, without a scheme or a path',
    )
    .describe('For which the holder proves; wallets show it, and the proof names it'),
  name: Name,
  query: z.array(Query).min(1).max(10),
})

export const TemplateUpdate = TemplateBody.extend({ id: Uuid.exactOptional() })

export const TemplateView = z.object({
  id: Uuid,
  domain: z.string(),
  name: z.string(),
  query: z.array(z.looseObject({ type: z.string() })),
})

const Milliseconds = z.int().describe('Milliseconds since 1970')

export const NewRequest = z.object({
  challenge: z.string().min(1).max(1000).describe('New for each request; the presentation repeats it'),
  templateId: Uuid,
  did: Did.describe('Who asks: a DID of this tenant with a key of Ed25519'),
  callbackUrl: z.string().max(2000).describe('Where the wallet sends the presentation to'),
  expiresTime: Milliseconds.exactOptional().describe('Milliseconds since 1970; in five minutes where it is left out'),
})

/** A JSON Web Message, as the reference platform's wallets read it: its times are milliseconds. */
export const RequestView = z.object({
  id: Uuid,
  callbackUrl: z.string(),
  request: z.object({
    id: Uuid,
    type: z.string(),
    from: z.string(),
    created_time: Milliseconds,
    expires_time: Milliseconds,
    reply_url: z.string(),
    reply_to: z.array(z.string()),
    body: z.object({
      challenge: z.string(),
      id: Uuid.describe('Of the template'),
      domain: z.string(),
      name: z.string(),
      query: TemplateView.shape.query,
    }),
  }),
  didcommUri: z.string().describe('The request, signed: for a QR code or a link'),
})

export const PresentationToVerify = z.object({
  presentation: z.record(z.string(), z.unknown(), 'Must be a presentation').describe('The presentation with its proof'),
  challenge: z.string().min(1).max(1000).describe('Of the request'),
  domain: z.string().min(1).max(1000).describe('Of the template'),
})

export const PresentationVerification = z.object({
  verified: z.boolean(),
  reason: z
    .object({
      type: z.string(),
      message: z.string(),
      credential: z.int().optional().describe('Which of the credentials it is, from 0'),
    })
    .optional()
    .describe('Absent where it is verified'),
})
