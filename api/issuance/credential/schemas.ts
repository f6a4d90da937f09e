import { z } from 'zod'
import { described, exampleId, named, secret } from '../../http/fields.ts'
import { exampleCwt } from '../../status/credential-schemas.ts'

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
  credential_definition: z
    .object({ type: Types.optional().describe('Its types'), types: Types.optional().describe('Its types') })
    .optional()
    .catch(undefined)
    .describe('Where the tenant is lenient: the type beside `format`'),
  types: Types.optional().catch(undefined).describe('Where the tenant is lenient: the type beside `format`'),
  doctype: z
    .string()
    .max(2000)
    .optional()
    .catch(undefined)
    .describe('Where the tenant is lenient: the document type beside `format`'),
}

/** Of OpenID4VCI 1.0, appendix F.1: made by the wallet for this request. */
export const exampleProof =
  'eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCIsImFsZyI6IkVTMjU2In0.eyJhdWQiOiJodHRwczovL3VuaXZlcnNpdHkudHJ1c3R3cmlnaHQuZXhhbXBsZSJ9.c2ln'

const ResponseEncryption = z
  .unknown()
  .optional()
  .describe('How the answer is to be encrypted: `jwk`, `enc` and, where it is to be compressed, `zip`')

const exampleNotificationId = '3fwe98js'

/** OpenID4VCI 1.0, section 8.2. Unknown members are ignored. Which proofs are acceptable, proofs.ts says. */
export const CredentialRequest = z
  .object({
    credential_configuration_id: described(
      z.string().max(200),
      'What is asked for; not beside `credential_identifier`',
      exampleId('compact configuration'),
    ).optional(),
    credential_identifier: z
      .string()
      .max(200)
      .optional()
      .describe('What is asked for, where the token answer had identifiers'),
    proofs: described(
      z.record(z.string(), z.unknown()),
      'That the wallet has its keys: `jwt` or `attestation`, with a list of proofs; a credential is made for each key',
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
  'What a wallet was issued (OpenID4VCI 1.0, section 8.3)',
  z.object({
    credentials: z
      .array(z.object({ credential: described(Credential, 'As its format has it', exampleCwt('compact')) }))
      .describe('One for each proof; an object for `ldp_vc`, a string for the other formats'),
    notification_id: described(
      z.string(),
      'With which the wallet tells what became of it; not with what was deferred',
      exampleNotificationId,
    ).optional(),
    credential: Credential.optional().describe('The first of them, where the request was of drafts 11 to 13'),
    c_nonce: z.string().optional().describe('As `credential`'),
    c_nonce_expires_in: z.number().int().optional().describe('For how many seconds `c_nonce` is good'),
  }),
)

export type CredentialResponse = z.infer<typeof CredentialResponse>

const transactionId = 'ZkYq2sWm8uLx0vNz4bRc7d'

/** OpenID4VCI 1.0, section 9.2. */
export const DeferredResponse = named(
  'DeferredCredential',
  'That the credential is not ready (OpenID4VCI 1.0, section 9.2)',
  z.object({
    transaction_id: described(z.string(), 'With which the wallet comes again', transactionId),
    interval: described(z.number().int(), 'Seconds until the wallet should ask again', 5),
  }),
)

export const DeferredRequest = z.object({
  transaction_id: secret(described(z.string().max(500), 'Of the answer 202', transactionId)),
  credential_response_encryption: ResponseEncryption,
})

/** OpenID4VCI 1.0, section 11.1. The description is for people: printable ASCII without quotes and backslashes. */
export const NotificationRequest = z.object({
  notification_id: described(z.string().max(500), 'Of the answer with the credential', exampleNotificationId),
  event: described(
    z.enum(['credential_accepted', 'credential_failure', 'credential_deleted']),
    'What became of the credential: it was stored, could not be, or was deleted',
    'credential_accepted',
  ),
  event_description: z
    .string()
    .max(1000)
    .regex(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/, 'Must be printable ASCII without quotes and backslashes')
    .optional()
    .describe('For people who look into a failure'),
})

export type NotificationRequest = z.infer<typeof NotificationRequest>

export const NonceResponse = z.object({
  c_nonce: described(z.string(), 'For the next proof, as its `nonce`', 'wKI4LT17ac15ES9bw8ac4'),
})
