import { z } from 'zod'
import { secret } from '../../http/fields.ts'

export const needsOneName = 'Exactly one of credential_configuration_id and credential_identifier is needed'

const Types = z.array(z.string().max(2000)).max(100)

/** Of drafts 11 to 13, which the profile `lenient` takes. To others they are unknown, so that whatever else they hold is no fault. */
const older = {
  proof: z
    .record(z.string(), z.unknown())
    .optional()
    .catch(undefined)
    .describe('Where the tenant is lenient: one proof, with its `proof_type`, in the place of `proofs`'),
  format: z
    .string()
    .max(200)
    .optional()
    .catch(undefined)
    .describe('Where the tenant is lenient: with the type beside it, in the place of `credential_configuration_id`'),
  credential_definition: z.object({ type: Types.optional(), types: Types.optional() }).optional().catch(undefined),
  types: Types.optional().catch(undefined),
  doctype: z.string().max(2000).optional().catch(undefined),
}

/** OpenID4VCI 1.0, section 8.2. Unknown members are ignored. Which proofs are acceptable, proofs.ts says. */
export const CredentialRequest = z
  .object({
    credential_configuration_id: z.string().max(200).optional(),
    credential_identifier: z.string().max(200).optional(),
    proofs: z.record(z.string(), z.unknown()).optional(),
    credential_response_encryption: z.unknown().optional(),
    ...older,
  })
  .refine(
    ({ credential_configuration_id: id, credential_identifier: identifier, format }) =>
      id === undefined ? identifier !== undefined || format !== undefined : identifier === undefined,
    needsOneName,
  )

export type CredentialRequest = z.infer<typeof CredentialRequest>

const Credential = z.union([z.string(), z.record(z.string(), z.unknown())])

export const CredentialResponse = z.object({
  credentials: z
    .array(z.object({ credential: Credential }))
    .describe('One for each proof; an object for `ldp_vc`, a string for the other formats'),
  notification_id: z.string().optional().describe('Not with what was deferred'),
  credential: Credential.optional().describe('The first of them, where the request was of drafts 11 to 13'),
  c_nonce: z.string().optional().describe('As `credential`'),
  c_nonce_expires_in: z.number().int().optional().describe('Seconds'),
})

export type CredentialResponse = z.infer<typeof CredentialResponse>

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
