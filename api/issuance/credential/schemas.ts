import { z } from 'zod'
import { secret } from '../../http/fields.ts'

/** OpenID4VCI 1.0, section 8.2. Unknown members are ignored. Which proofs are acceptable, proofs.ts says. */
export const CredentialRequest = z
  .object({
    credential_configuration_id: z.string().max(200).optional(),
    credential_identifier: z.string().max(200).optional(),
    proofs: z.record(z.string(), z.unknown()).optional(),
    credential_response_encryption: z.unknown().optional(),
  })
  .refine(
    (request) => (request.credential_configuration_id === undefined) !== (request.credential_identifier === undefined),
    'Exactly one of credential_configuration_id and credential_identifier is needed',
  )

export type CredentialRequest = z.infer<typeof CredentialRequest>

export const CredentialResponse = z.object({
  credentials: z
    .array(z.object({ credential: z.union([z.string(), z.record(z.string(), z.unknown())]) }))
    .describe('One for each proof; an object for `ldp_vc`, a string for the other formats'),
  notification_id: z.string().optional().describe('Not with what was deferred'),
})

/** OpenID4VCI 1.0, section 9.2. */
export const DeferredResponse = z.object({
  transaction_id: z.string(),
  interval: z.number().int().describe('Seconds until the wallet should ask again'),
})

export const DeferredRequest = z.object({
  transaction_id: secret(z.string().max(500)),
  credential_response_encryption: z.unknown().optional(),
})

/** OpenID4VCI 1.0, section 11.1. The description is for people: printable ASCII without quotes and backslashes. */
export const NotificationRequest = z.object({
  notification_id: z.string().max(500),
  event: z.enum(['credential_accepted', 'credential_failure', 'credential_deleted']),
  event_description: z
    .string()
    .max(1000)
    .regex(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/, 'Must be printable ASCII without quotes and backslashes')
    .optional(),
})

export type NotificationRequest = z.infer<typeof NotificationRequest>

export const NonceResponse = z.object({ c_nonce: z.string() })
