import { z } from 'zod'
import { ClaimsObject, Timestamp, Uuid } from '../../http/fields.ts'

const aConfiguration = 'the id of a credential configuration, which is a UUID'

const Credentials = z
  .array(z.uuid(`Must be ${aConfiguration}; a type or a name will not do`))
  .min(1, `Must have at least one member: ${aConfiguration}`)
  .max(100)
  .describe('Ids of credential configurations of any profile')

const By = z
  .enum(['value', 'reference'])
  .default('value')
  .describe(
    'Whether the URI carries the offer or says where it is; one that would be too long, or has a `%` in it, says where in any case',
  )

export const SharedOfferRequest = z.object({
  credentials: Credentials,
  by: By,
  request_parameters: z
    .record(z.string().max(100), z.string().max(1000))
    .default({})
    .describe('Passed on to the authentication provider where it lists them in `forwardedRequestParameters`'),
})

export const SharedOfferView = z.object({ uri: z.string() })

const longestMs = 10 * 60_000

const ExpiresIn = z
  .object({ minutes: z.number().int().min(0).max(10).default(0), seconds: z.number().int().min(0).max(600).default(0) })
  .transform(({ minutes, seconds }) => (minutes * 60 + seconds) * 1000)
  .refine((ms) => ms > 0 && ms <= longestMs, 'Must be more than nothing and at most 10 minutes')
  .default(5 * 60_000)

export const PreAuthorizedOfferRequest = z.object({
  credentials: Credentials,
  by: By,
  userId: Uuid.optional().describe('The user it is for; a new one is made when it is absent'),
  claims: ClaimsObject.default({}).describe('Used for this issuance only'),
  claimsToPersist: z.array(z.string().max(200)).max(1000).default([]).describe('Names of claims that the user keeps'),
  transactionCodeConfiguration: z
    .object({ inputMode: z.literal('numeric').default('numeric'), description: z.string().max(300).optional() })
    .optional(),
  expiresIn: ExpiresIn,
})

export const PreAuthorizedOfferView = z.object({
  id: z.string(),
  userId: z.string(),
  uri: z.string(),
  expiresAt: z.number().int().describe('Epoch milliseconds'),
  transactionCode: z.string().optional().describe('To be told to the holder by another channel'),
})

const grants = z.object({
  authorization_code: z.object({ issuer_state: z.string() }).optional(),
  'urn:ietf:params:oauth:grant-type:pre-authorized_code': z
    .object({
      'pre-authorized_code': z.string(),
      tx_code: z
        .object({ input_mode: z.literal('numeric'), length: z.number(), description: z.string().optional() })
        .optional(),
    })
    .optional(),
})

/** OpenID4VCI 1.0, section 4.1.1. `credentials` is what older wallets read. */
export const CredentialOfferView = z.object({
  credential_issuer: z.string(),
  credential_configuration_ids: z.array(z.string()),
  credentials: z.array(z.string()),
  grants,
})

export const OfferTimelineView = z.object({
  data: z.array(
    z.object({
      at: Timestamp,
      step: z.string(),
      outcome: z.enum(['success', 'failure']),
      reason: z.string().optional().describe('Which check refused it; never the value of a claim'),
      requestId: z.string().optional().describe('Of the request, as the log and events have it'),
      userId: z.string().optional(),
      sessionId: z.string().optional().describe('Of the access token, as webhooks have it'),
      webhookId: z.string().optional().describe('The webhook that was called'),
    }),
  ),
})
