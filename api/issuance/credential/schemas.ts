import { z } from 'zod'
import { described, exampleId, named, secret } from '../../http/fields.ts'
import { exampleCwt } from '../../status/credential-schemas.ts'

export const needsOneName = 'Send exactly one of credential_configuration_id and credential_identifier'

const Types = z.array(z.string().max(2000)).max(100)

/** Members of drafts 11 to 13, for the profile `lenient`. Other profiles ignore them, whatever they contain. */
const older = {
  proof: z
    .record(z.string(), z.unknown())
    .optional()
    .catch(undefined)
    .describe('Only if the tenant is lenient: one proof, with its `proof_type`, instead of `proofs`'),
  format: z
    .string()
    .max(200)
    .optional()
    .catch(undefined)
    .describe('Only if the tenant is lenient: with the type beside it, instead of `credential_configuration_id`'),
  credential_definition: z
    .object({ type: Types.optional().describe('Its types'), types: Types.optional().describe('Its types') })
    .optional()
    .catch(undefined)
    .describe('Only if the tenant is lenient: the type beside `format`'),
  types: Types.optional().catch(undefined).describe('Only if the tenant is lenient: the type beside `format`'),
  doctype: z
    .string()
    .max(2000)
    .optional()
    .catch(undefined)
    .describe('Only if the tenant is lenient: the document type beside `format`'),
}

/** A proof of OpenID4VCI 1.0, appendix F.1, which the wallet creates for this request. */
export const exampleProof =
  'eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCIsImFsZyI6IkVTMjU2In0.eyJhdWQiOiJodHRwczovL3VuaXZlcnNpdHkudHJ1c3R3cmlnaHQuZXhhbXBsZSJ9.c2ln'

const ResponseEncryption = z
  .unknown()
  .optional()
  .describe('The encryption of the response: `jwk`, `enc` and, for compression, `zip`')

const exampleNotificationId = '3fwe98js'

/** OpenID4VCI 1.0, section 8.2. Unknown members are ignored. `check-proofs.ts` checks the proofs. */
export const CredentialRequest = z
  .object({
    credential_configuration_id: described(
      z.string().max(200),
      'The requested configuration. Not together with `credential_identifier`',
      exampleId('compact configuration'),
    ).optional(),
    credential_identifier: z
      .string()
      .max(200)
      .optional()
      .describe('The requested credential, if the token response contained identifiers'),
    proofs: described(
      z.record(z.string(), z.unknown()),
      "The proofs of the wallet's keys: `jwt` or `attestation`, with a list of proofs. One credential is issued for each key",
      { jwt: [exampleProof] },
    ).optional(),
    credential_response_encryption: ResponseEncryption,
    ...older,
  })
  .refine(
    ({ credential_configuration_id: id, credential_identifier: identifier, format }) =>
      id === undefined ? identifier !== undefined || format !== undefined : identifier === undefined,
    needsOneName,
  )

export type CredentialRequest = z.infer<typeof CredentialRequest>

const Credential = z.union([z.string(), z.record(z.string(), z.unknown())])

export const CredentialResponse = named(
  'IssuedCredentials',
  'The issued credentials (OpenID4VCI 1.0, section 8.3)',
  z.object({
    credentials: z
      .array(z.object({ credential: described(Credential, 'The credential in its format', exampleCwt('compact')) }))
      .describe('One credential for each key. An object for `ldp_vc`, a string for the other formats'),
    notification_id: described(
      z.string(),
      'Identifies the issuance in notifications. Absent for deferred credentials',
      exampleNotificationId,
    ).optional(),
    credential: Credential.optional().describe('The first credential, if the request was of drafts 11 to 13'),
    c_nonce: z.string().optional().describe('A nonce for the next proof, if the request was of drafts 11 to 13'),
    c_nonce_expires_in: z.number().int().optional().describe('The lifetime of `c_nonce` in seconds'),
  }),
)

export type CredentialResponse = z.infer<typeof CredentialResponse>

const transactionId = 'ZkYq2sWm8uLx0vNz4bRc7d'

/** OpenID4VCI 1.0, section 9.2. */
export const DeferredResponse = named(
  'DeferredCredential',
  'The credential is not ready (OpenID4VCI 1.0, section 9.2)',
  z.object({
    transaction_id: described(z.string(), 'Identifies the issuance in the next request', transactionId),
    interval: described(z.number().int(), 'The number of seconds to wait before the next request', 5),
  }),
)

export const DeferredRequest = z.object({
  transaction_id: secret(
    described(z.string().max(500), 'The `transaction_id` of the response with status 202', transactionId),
  ),
  credential_response_encryption: ResponseEncryption,
})

/** OpenID4VCI 1.0, section 11.1. The description is for people: printable ASCII without quotes and backslashes. */
export const NotificationRequest = z.object({
  notification_id: described(
    z.string().max(500),
    'The `notification_id` of the response with the credential',
    exampleNotificationId,
  ),
  event: described(
    z.enum(['credential_accepted', 'credential_failure', 'credential_deleted']),
    'What happened to the credential: it was stored, could not be stored, or was deleted',
    'credential_accepted',
  ),
  event_description: z
    .string()
    .max(1000)
    .regex(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/, 'Must be printable ASCII without quotes and backslashes')
    .optional()
    .describe('A description of a failure for people'),
})

export type NotificationRequest = z.infer<typeof NotificationRequest>

export const NonceResponse = z.object({
  c_nonce: described(z.string(), 'The `nonce` of the next proof', 'wKI4LT17ac15ES9bw8ac4'),
})
