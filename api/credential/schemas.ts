import { z } from 'zod'

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
})

export const NonceResponse = z.object({ c_nonce: z.string() })
